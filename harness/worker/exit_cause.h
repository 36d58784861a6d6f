/* How the parent finds out what a worker died of. */
#ifndef RUNGS_EXIT_CAUSE_H
#define RUNGS_EXIT_CAUSE_H

#include "harness/worker/parent.h"

/* The last line that a file in memory holds, without its end: what a worker said last. */
void worker_last_line(int file, char *text, size_t bytes);

/* The note that a worker has left; it may be alive. */
struct ledger worker_ledger(const struct worker *w);

/* What it was doing, in words. */
const char *worker_doing(const struct worker *w, const struct ledger *note);

/* Sets the fate of a worker that has ended with this status, as of waitpid.  Always false. */
bool worker_postmortem(struct worker *w, int status);

#endif
