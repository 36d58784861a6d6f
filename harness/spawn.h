/*
 * Between parent and worker: the descriptors that a worker finds open, its exit statuses, and how
 * the parent finds out what one died of.  For spawn.c, postmortem.c and worker.c.
 */
#ifndef RUNGS_SPAWN_H
#define RUNGS_SPAWN_H

#include "harness/worker.h"

enum { WORKER_SOCKET = 3, WORKER_INPUTS = 4, WORKER_OUTPUTS = 5 };
enum {
    WORKER_NO_DEVICE_MEMORY = 123, /* CUDA_NO_MEMORY of common/cuda.h */
    WORKER_NO_MEMORY = 124,
    WORKER_BROKEN = 125
};

/* The last line that a file in memory holds, without its end: what a worker said last. */
void worker_last_line(int file, char *text, size_t bytes);

/* The note that a worker has left; it may be alive. */
struct ledger worker_ledger(const struct worker *w);

/* Sets the fate of a worker that has ended with this status, as of waitpid.  Always false. */
bool worker_postmortem(struct worker *w, int status);

#endif
