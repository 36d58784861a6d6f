/*
 * Compares the times of two results: ratio, confidence interval, verdict.
 *
 * Times of the same rounds are compared in pairs: the median of ln(base / other) over the rounds, with the
 * interval of the sign test, which is exact for any distribution.  Times of different runs have no pairs:
 * there the intervals of the two medians decide, and the difference must be larger.  Where rounds are too few for
 * either, two sides of one run still differ if they are far enough apart.
 */
#ifndef RUNGS_COMPARE_H
#define RUNGS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/records/series.h"

enum finding { FASTER, SLOWER, SAME, UNRESOLVED };

extern const char *const finding_names[]; /* "FASTER", "SLOWER", "SAME", "UNRESOLVED" */

struct comparison {
    double ratio;      /* how many times faster than the baseline; NaN: none */
    double low, high;  /* its confidence interval; NaN: too few values */
    double confidence; /* of the interval, at least */
    size_t rounds;     /* of each side; the smaller number of the two */
    size_t ties;       /* pairs of equal times */
    const char *method; /* "paired", "single launch", "launches" or "distance" */
    enum finding finding;
};

/* Compares times in seconds; base[i] and other[i] are of one round.  `family`: the number of comparisons, at
   least 1, among which the error probability of 5 % is divided. */
struct comparison compare_paired(const double base[], const double other[], size_t count,
                                 size_t family);

/* Returns the number of rounds from which on there is an interval. */
size_t compare_rounds_needed(size_t family);

/* Compares two variants of one run by the rounds that they share in each pass.  With one pass, the interval is
   widened by what processes of the same variant may differ by: 0.2 us and 1.5 % of each time.  With two to
   five, it spans the intervals of the passes.  With six or more, each pass is one pair: the medians of the
   shared rounds; if these are too few for the confidence, the span is used again.  If the interval does not decide, the distance
   between all rounds of the two sides may. */
struct comparison compare_together(const struct series *base, const struct series *other,
                                   size_t family);

/* Compares two sides that were measured at different times, in any number of runs each.  If both have six
   processes or more (runs, or passes of runs that have six), the sample is the medians of the processes. */
struct comparison compare_apart(const struct series base[], size_t base_count,
                                const struct series other[], size_t other_count);

/* Widens the interval of compare_apart by 2 %, the effect that the place of the code can have, because the
   two sides are different builds. */
void compare_builds_differ(struct comparison *c);

/* Compares two results: together if they took turns, else apart. */
struct comparison compare_either(const struct series *base, const struct series *other,
                                 bool together, size_t family);

/* Returns how much slower it is: 0.05 if it takes 5 % longer than the baseline; below 0 if it is faster. */
double compare_slowdown(const struct comparison *c);

#endif
