/*
 * The keeper: a process between the parent and a worker.  As soon as the worker or the parent has ended
 * for any reason, it ends every process that the worker has started.
 *
 * Where the kernel allows it, both are in a process namespace of their own, in which the keeper is
 * process 1.  They see no other processes, and when the keeper ends, the kernel ends all processes of the
 * namespace.
 */
#ifndef RUNGS_KEEPER_H
#define RUNGS_KEEPER_H

#include <stdbool.h>
#include <sys/types.h>

#include "harness/worker/spaces.h"

/* Returns whether the kernel gives this process such namespaces. */
bool keeper_holds(void);

/* Forks, like fork: the child that continues is the worker.  The caller gets the id of the keeper,
   which leads the process group of both, in namespaces of these kinds where the kernel gives them.
   *report gets a file for keeper_status. */
pid_t keeper_fork(enum spaces which, int *report);

/* Returns the worker's status as of waitpid, after its keeper has ended with `status`. */
int keeper_status(int report, int status);

/* Returns the id of a keeper's worker in the parent's own namespace; 0: there is none. */
pid_t keeper_worker(pid_t keeper);

#endif
