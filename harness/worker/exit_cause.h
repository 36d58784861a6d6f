/* Finds out why a worker ended. */
#ifndef RUNGS_EXIT_CAUSE_H
#define RUNGS_EXIT_CAUSE_H

#include "harness/worker/last_words.h"
#include "harness/worker/parent.h"

/* Returns the last line of a file in memory, without its line end: what a worker printed last. */
void worker_last_line(int file, char *text, size_t bytes);

/* Returns the note that a worker, running or ended, has left. */
struct ledger worker_ledger(const struct worker *w);

/* Returns in words what the worker was doing: "run". */
const char *worker_doing(const struct worker *w, const struct ledger *note);

/* Sets the fate of a worker that has ended with this status of waitpid.  Always returns false. */
bool worker_postmortem(struct worker *w, int status);

/* The same, after one of its ranks has ended first; the reason names that rank. */
bool worker_postmortem_of_rank(struct worker *w, const struct last_words *rank);

#endif
