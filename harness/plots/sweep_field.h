/* A sweep of one problem, for its picture. */
#ifndef RUNGS_SWEEP_FIELD_H
#define RUNGS_SWEEP_FIELD_H

#include "harness/plots/drawing.h"

enum { MOST_SIZES = 64 };

/* One rung at all sizes. */
struct curve {
    const char *variant;
    const struct past_cell *at[MOST_SIZES]; /* NULL: no time there */
};

/* One problem of one file. */
struct field {
    const struct past *p;
    const struct past_cell *first;
    char axis[64];  /* those that grow, in step: "m=n=k"; "": several, and apart */
    size_t sizes, rungs;
    double size[MOST_SIZES];
    struct curve *curve;
};

/* A phase's crossovers ("e2e", "resident") as a block of data, at the height that `value` gives;
   and as variables of the script the first of them: `name` in words, `name`_at. */
void put_crossings(struct drawing *d, const struct field *f, const char *phase, const char *name,
                   double value(const struct past_cell *));

#endif
