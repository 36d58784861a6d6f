/* A verdict on the learner's file: is it right, is it built as it should be, is it fast? */
#ifndef RUNGS_LAB_VERDICT_H
#define RUNGS_LAB_VERDICT_H

#include "workshop/lab/gates.h"
#include "workshop/lab/times.h"
#include "workshop/lab/trial.h"

struct lab_verdict {
    struct mistake mistake;  /* its kind is empty if all is well */
    struct trial trial;
    bool compiled, tried;    /* how far it came */
    double build_seconds, seconds;
    struct gated gated[8];
    size_t gates;
    bool gates_kept;
    struct timed timed;
    bool fast;
    unsigned stars;             /* that this run has won: stars.h */
    char warning[300];       /* the compiler's first; empty: none */
    bool passed;                /* all that can be judged here is well */
};

/* Compiles `source` and judges it.  False: that is not possible here, the error says why. */
bool verdict_reach(const struct exercise *e, const char *source, enum place place,
                   struct lab_verdict *v, struct error *error);

/* The same for a program that is built already. */
bool verdict_judge(const struct exercise *e, const char *source, const char *program,
                   enum place place, struct lab_verdict *v, struct error *error);

#endif
