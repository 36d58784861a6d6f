/*
 * Which of two is faster, how much, and is that sure?
 *
 * Times taken side by side are compared in pairs: the median of ln(base / other), round by round,
 * in the interval of the sign test, which is exact whatever the distribution.  Times of different
 * runs have no pairs: their medians' own intervals must part, and by more.
 */
#ifndef RUNGS_COMPARE_H
#define RUNGS_COMPARE_H

#include <stddef.h>

#include "harness/rounds.h"

enum finding { FASTER, SLOWER, SAME, UNRESOLVED };

extern const char *const finding_names[]; /* "FASTER", "SLOWER", "SAME", "UNRESOLVED" */

struct comparison {
    double ratio;      /* how many times faster than the base, by their times; NaN: none */
    double low, high;  /* the ratio's interval; NaN: too few values for one */
    double confidence; /* of the interval, at least */
    size_t rounds;     /* that each side brought, the fewer of the two */
    size_t ties;       /* pairs of equal times */
    const char *method; /* "paired", "single launch" or "launches" */
    enum finding finding;
};

/* base[i] and other[i] are of one round; seconds.  `family`: how many such comparisons are looked
   at together (1 at least); the 5 % of error are theirs as a whole. */
struct comparison compare_paired(const double base[], const double other[], size_t count,
                                 size_t family);

/* How many rounds it takes for an interval to exist. */
size_t compare_rounds_needed(size_t family);

/* compare_paired for the rounds that two rungs of one run share, sitting by sitting: the interval
   spans those of the sittings.  Of one process each it also spans what processes
   of the same rung may differ by: 0.2 us and 1.5 % of each time. */
struct comparison compare_together(const struct rounds *base, const struct rounds *other,
                                   size_t family);

/* Two sides that were measured at different times, in any number of runs each. */
struct comparison compare_apart(const struct rounds base[], size_t base_count,
                                const struct rounds other[], size_t other_count);

/* How much slower: 0.05 where it takes 5 % longer than the base; below 0 where it is faster. */
double compare_slowdown(const struct comparison *c);

#endif
