/* Scaling: what more threads or devices bring, from the results of one table. */
#ifndef RUNGS_SPEEDUP_H
#define RUNGS_SPEEDUP_H

#include "harness/records/comparison.h"
#include "harness/records/result.h"

/* One variant at one value against the smallest that was timed. */
struct speedup {
    const struct result *result, *base;
    int value, from;
    struct comparison e2e, resident; /* without a ratio where there is nothing to compare */
};

/* Of all results with a scale that were timed and are not the smallest; `list` has room for `count`. */
size_t speedups_find(struct result *const results[], size_t count, struct speedup list[]);

/* The speed-up over how many times more there are: 1 is linear. */
double speedup_efficiency(const struct speedup *s, double ratio);

#endif
