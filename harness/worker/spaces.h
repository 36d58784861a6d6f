/*
 * Namespaces that a worker's keeper begins (harness/worker/keeper.h).
 *
 * SPACES_PROCESSES: of processes.  They see no others, and end with the keeper.
 * SPACES_ENGINE: also of the network, which has nothing but its own loopback; of System V objects; and of mounts, with a
 * /proc of their processes and a /dev/shm of their own.  All of that goes when the keeper ends.
 *
 * For an ordinary user they lie in a namespace of users.
 */
#ifndef RUNGS_SPACES_H
#define RUNGS_SPACES_H

#include <stdbool.h>
#include <sys/types.h>

enum spaces { SPACES_NONE, SPACES_PROCESSES, SPACES_ENGINE };

/* Returns clone's flags for them; 0: the kernel gives this process no such namespaces. */
int spaces_flags(enum spaces which);

/* Forks into new namespaces.  The child calls spaces_enter. */
pid_t spaces_fork(int flags);

/* For their process 1: keeps the user, who is `user` and `group` outside, and furnishes them. */
bool spaces_enter(int flags, uid_t user, gid_t group);

#endif
