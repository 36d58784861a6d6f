/*
 * What became of a variant, as data: every one that was asked for ends in a row with one of these and
 * a reason, whatever it does.
 */
#ifndef RUNGS_OUTCOME_H
#define RUNGS_OUTCOME_H

#include <stdbool.h>

enum outcome {
    OUTCOME_OK,        /* right, at every size it was given */
    OUTCOME_WRONG,     /* an answer beyond the limit */
    OUTCOME_NAN,       /* an answer that is not finite: often one that was never written */
    OUTCOME_BREACH,    /* breaks the contract: prints, writes its input or beside its output ... */
    OUTCOME_CRASH,     /* a signal, or an exit before its time */
    OUTCOME_TIMEOUT,   /* no answer in the time it was given */
    OUTCOME_MEMORY,    /* asked for more memory than there is */
    OUTCOME_REFUSED,   /* by the variant itself: cannot do these sizes, or not on this machine */
    OUTCOME_NO_DEVICE, /* nothing here to run it on */
    OUTCOME_SKIPPED,   /* by the harness: would take too long, or the case would not fit */
    OUTCOME_STOPPED,   /* the run was interrupted before it was its turn */
};

extern const char *const outcome_names[]; /* "ok", "wrong", ... as in tables and records */

/* Did the variant do something wrong?  (Not: could it be measured.) */
static inline bool outcome_failed(enum outcome o)
{
    return o >= OUTCOME_WRONG && o <= OUTCOME_MEMORY;
}

struct fate {
    enum outcome outcome;
    char reason[320]; /* one line; empty for OUTCOME_OK */
};

/* Fills in a fate; always returns false, so that a caller can `return fate_set(...)`. */
bool fate_set(struct fate *fate, enum outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
