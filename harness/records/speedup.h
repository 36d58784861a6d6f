/* Speed-up with more threads, devices, ranks or processes, from the results of one table. */
#ifndef RUNGS_SPEEDUP_H
#define RUNGS_SPEEDUP_H

#include "harness/records/comparison.h"
#include "harness/records/result.h"

/* A variant with `value` threads, devices or ranks, compared with the smallest number that was timed, `from`. */
struct speedup {
    const struct result *result, *base;
    int value, from;
    struct comparison e2e, resident; /* without a ratio if there is nothing to compare */
};

/* Lists the speed-ups of all timed results with a scale, except the smallest; `list` has room for `count`.
   Returns their number. */
size_t speedups_find(struct result *const results[], size_t count, struct speedup list[]);

/* The same for weak scaling, from the results of all tables: a variant with 4 ranks at size "S*4" is compared with itself
   with 1 rank at size "S".  The ratio is that of the work done in the same time. */
size_t speedups_find_weak(struct result *const results[], size_t count, struct speedup list[]);

/* Is it timed, and as many times as large as it has ranks or threads?  "S*4" is four times S.  Are both of S? */
bool speedup_is_weak(const struct result *r);
bool speedup_same_stem(const struct result *a, const struct result *b);

/* Returns how many times as much work is done in one call's time: with N processes each makes a call. */
double speedup_work(const struct speedup *s);

/* Returns the speed-up divided by how many times more threads, devices or ranks there are: 1 is linear. */
double speedup_efficiency(const struct speedup *s, double ratio);

#endif
