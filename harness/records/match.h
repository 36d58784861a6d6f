/*
 * Compares two files of records, result by result.
 *
 * Two results match if problem, variant, arithmetic and size are equal, and both or neither were measured on
 * a user's files.  A result that a file contains several times comes from as many runs.
 */
#ifndef RUNGS_MATCH_H
#define RUNGS_MATCH_H

#include "harness/records/comparison.h"
#include "harness/records/records.h"

struct match {
    /* One result of each file, which represents all of its runs: one without a time if there is any.  NULL:
       that file has none. */
    const struct result *was, *is;
    size_t was_runs, is_runs;
    double was_median, is_median;    /* of the runs' medians, seconds; NaN: no time */
    struct comparison e2e, resident; /* without a ratio if there is nothing to compare */
};

/* Matches two files, in their order.  *count: how many.  For free(). */
struct match *match_cells(const struct records *was, const struct records *is, size_t *count);

/* Has it become slower by `share` or more, end to end or resident, or lost its time?  A result that was refused,
   interrupted or not tried is no regression. */
bool match_is_regression(const struct match *m, double share);

#endif
