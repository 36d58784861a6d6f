/*
 * A process between the parent and a worker: it ends whatever the worker has started, as soon as the
 * worker or the parent has ended, in whatever way.
 *
 * Where the kernel allows it, the two are alone in a namespace of processes, whose first the keeper is:
 * they see no others, and with the keeper the kernel ends all of them.
 */
#ifndef RUNGS_KEEPER_H
#define RUNGS_KEEPER_H

#include <stdbool.h>
#include <sys/types.h>

/* Does the kernel give this process such namespaces? */
bool keeper_holds(void);

/* As fork, and what goes on in the child is the worker; the caller gets the keeper's id, which leads the
   group of both.  `alone`: in a namespace.  *report: a file for keeper_status. */
pid_t keeper_fork(bool alone, int *report);

/* The keeper has ended with `status`: what the worker ended with, as of waitpid. */
int keeper_status(int report, int status);

/* The worker of a keeper: its id in our own namespace; 0: there is none. */
pid_t keeper_worker(pid_t keeper);

#endif
