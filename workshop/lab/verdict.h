/* The verdict on a learner's file: its results, its structure, its speed. */
#ifndef RUNGS_LAB_VERDICT_H
#define RUNGS_LAB_VERDICT_H

#include "workshop/lab/answers.h"
#include "workshop/lab/figures.h"
#include "workshop/lab/gates.h"
#include "workshop/lab/times.h"
#include "workshop/lab/trial.h"

struct lab_verdict {
    struct mistake mistake;  /* its kind is empty if there is none */
    struct trial trial;
    bool compiled, tried;    /* whether it was compiled, and whether it was run */
    double build_seconds, seconds;
    struct gated gated[8];
    size_t gates;
    bool gates_kept;
    struct figured figured[MAX_FIGURES]; /* of the learner's own benchmark */
    bool compared;                       /* whether they were looked at */
    enum answered answered[MAX_ANSWERS]; /* the exercise's questions, */
    char given[MAX_ANSWERS][128];        /* and what the learner has written */
    struct timed timed;
    bool fast;
    unsigned stars;          /* of this run: stars.h */
    char warning[300];       /* the compiler's first warning; empty: none */
    bool passed;             /* nothing that can be judged here is wrong */
};

/* Compiles `source` and judges it.  Returns false with an error if this machine cannot do it. */
bool verdict_reach(const struct exercise *e, const char *source, enum place place,
                   struct lab_verdict *v, struct error *error);

/* Judges a program that is built already. */
bool verdict_judge(const struct exercise *e, const char *source, const char *program,
                   enum place place, struct lab_verdict *v, struct error *error);

#endif
