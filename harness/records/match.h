/*
 * Two files of records, result by result: what became faster or slower from the one to the other.
 *
 * Results match by problem, variant, arithmetic and size, and where both are of a user's files or
 * neither is.  A result that a file holds several times is of as many runs.
 */
#ifndef RUNGS_MATCH_H
#define RUNGS_MATCH_H

#include "harness/records/comparison.h"
#include "harness/records/records.h"

struct match {
    /* One of each file's, which stands for all: one without a time where there is any.  NULL: that
       file has none. */
    const struct result *was, *is;
    size_t was_runs, is_runs;
    double was_median, is_median;   /* seconds, of the runs' medians; NaN: no time */
    struct comparison e2e, resident; /* without a ratio where there is none */
};

/* In the order of the files; for free().  *count: how many. */
struct match *match_cells(const struct records *was, const struct records *is, size_t *count);

/* Did it get slower by `share` or more (end to end, or resident), or fail, or can it no longer be
   timed?  Not where it was refused, interrupted, or not tried. */
bool match_is_regression(const struct match *m, double share);

#endif
