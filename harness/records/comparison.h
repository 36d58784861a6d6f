/*
 * Which of two is faster, how much, and is that sure?
 *
 * Times taken side by side are compared in pairs: the median of ln(base / other), round by round,
 * in the interval of the sign test, which is exact whatever the distribution.  Times of different
 * runs have no pairs: their medians' own intervals must part, and by more.
 */
#ifndef RUNGS_COMPARE_H
#define RUNGS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/records/series.h"

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

/* compare_paired for the rounds that two variants of one run share, pass by pass.  Of one pass each the
   interval also spans what processes of the same variant may differ by: 0.2 us and 1.5 % of each time.
   Of two to five it spans those of the passes.  Of six or more each pass is one pair, the medians of the
   shared rounds; where these are too few for the confidence asked for, the span is used again. */
struct comparison compare_together(const struct series *base, const struct series *other,
                                   size_t family);

/* Two sides that were measured at different times, in any number of runs each.  Where both are six
   processes or more (runs, or passes of runs that have six), their medians are the sample. */
struct comparison compare_apart(const struct series base[], size_t base_count,
                                const struct series other[], size_t other_count);

/* The two sides of compare_apart are of different builds: the interval also spans what the place of the
   code can do, 2 %. */
void compare_builds_differ(struct comparison *c);

/* One of each: together where they took turns, else apart. */
struct comparison compare_either(const struct series *base, const struct series *other,
                                 bool together, size_t family);

/* How much slower: 0.05 where it takes 5 % longer than the base; below 0 where it is faster. */
double compare_slowdown(const struct comparison *c);

#endif
