/*
 * The outcome of a variant.  Every variant that a run includes ends in a row with one of these outcomes
 * and a reason.
 */
#ifndef RUNGS_OUTCOME_H
#define RUNGS_OUTCOME_H

#include <stdbool.h>

enum outcome {
    OUTCOME_OK,        /* right at every size */
    OUTCOME_WRONG,     /* a value beyond the tolerance */
    OUTCOME_NAN,       /* a value that is not finite, often because it was never written */
    OUTCOME_BREACH,    /* broke the contract (common/variant.h): printed, wrote outside of its output
                          ... */
    OUTCOME_CRASH,     /* ended by a signal, or exited */
    OUTCOME_TIMEOUT,   /* no answer within the time limit */
    OUTCOME_MEMORY,    /* asked for more memory than there is */
    OUTCOME_REFUSED,   /* by the variant itself: not for this size, or not on this machine */
    OUTCOME_NO_DEVICE, /* this machine has no such device */
    OUTCOME_SKIPPED,   /* by the harness: would take too long, or the case does not fit into memory */
    OUTCOME_STOPPED,   /* the run was interrupted before the variant's turn */
};

extern const char *const outcome_names[]; /* as in tables and records: "ok", "wrong", ... */

/* Returns whether the variant did something wrong.  One that was not run has not failed. */
static inline bool outcome_failed(enum outcome o)
{
    return o >= OUTCOME_WRONG && o <= OUTCOME_MEMORY;
}

struct fate {
    enum outcome outcome;
    char reason[320]; /* one line; empty for OUTCOME_OK */
};

/* Sets a fate.  Always returns false, so that a caller can `return fate_set(...)`. */
bool fate_set(struct fate *fate, enum outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
