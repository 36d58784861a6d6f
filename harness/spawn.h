/* How parent and worker meet: the descriptors that a worker finds open, and its exit statuses. */
#ifndef RUNGS_SPAWN_H
#define RUNGS_SPAWN_H

enum { WORKER_SOCKET = 3, WORKER_INPUTS = 4, WORKER_OUTPUTS = 5 };
enum { WORKER_NO_MEMORY = 124, WORKER_BROKEN = 125 };

#endif
