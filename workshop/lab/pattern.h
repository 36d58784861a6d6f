/* Which elements of an answer are wrong, and what mistake makes just these wrong. */
#ifndef RUNGS_PATTERN_H
#define RUNGS_PATTERN_H

#include "harness/model/arena.h"
#include "harness/model/judge.h"
#include "workshop/lab/exercise.h"
#include "workshop/lab/mistake.h"

/* The answer in the outputs has been judged wrong. */
void pattern_mistake(const struct exercise *e, const struct layout *layout,
                     const struct verdict *verdict, struct mistake *m);

/* How much a mistake tells: of several sizes, the one that says most is shown. */
enum { PATTERN_CLEAR = 4 }; /* no more can be said */
int pattern_rank(const struct mistake *m);

/* A sum over the outputs: two answers that differ, differ in it. */
unsigned long pattern_sum(const struct layout *layout);

/* --- for the problems' own guesses: guess_*.c ------------------------------------------------- */

/* An answer beside the right one, as rows x cols numbers. */
struct view {
    size_t rows, cols;
    const char *array;      /* its name: "z" */
    const float *got;
    double *want;
    bool *wrong;            /* which of them are */
    size_t count, wrong_count;
    size_t untouched;       /* how many still hold what was there before */
    double scale;           /* of the numbers that were added up: errors are relative to it */
};

/* What would come out if the formula were this one. */
struct guess {
    const char *kind, *text;
    void (*fill)(const void *c, double *values);
};

/* What a problem knows of mistakes. */
struct guesses {
    const char *problem;
    /* sets array, rows, cols, got, scale; false: no answer of this kind is looked into */
    bool (*view)(const void *c, struct view *v);
    void (*want)(const void *c, double *values); /* rows * cols of them */
    const struct guess *guess; /* ends with a NULL kind */
    /* optional: looks by itself, before all else; true: it has found one */
    bool (*look)(const void *c, const struct view *v, struct mistake *m);
};

extern const struct guesses guesses_saxpy, guesses_stencil, guesses_knn, guesses_matmul, guesses_fft;

/* Is the answer just this, where it is wrong? */
bool view_equals(const struct view *v, const double *values);

#endif
