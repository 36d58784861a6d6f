/* How the ranks of a worker ended, or which of them hang, by what they report (harness/worker/last_words.h). */
#ifndef RUNGS_RANKS_END_H
#define RUNGS_RANKS_END_H

#include "harness/worker/last_words.h"
#include "harness/worker/parent.h"

/* Finds the rank that ended first, which is why its launcher ends all others.  Waits so many seconds for its report, or until
   the launcher has ended.  False: there is none. */
bool ranks_first_end(const struct worker *w, double patience, struct last_words *first);

/* Lets the launcher end the ranks, if RUNGS_MPI names one: only it reaches those on other hosts.  Waits 2 s at most. */
void ranks_dismiss(struct worker *w);

/* Asks all ranks what they do, and writes which are busy: ": rank 1 of 4 has not returned".  Empty: none reports. */
void ranks_busy(struct worker *w, char *text, size_t bytes);

#endif
