/*
 * The times of one phase of a variant, in the order in which they were taken: a value a round, the
 * median of its block.
 *
 * They are taken in passes, minutes apart and in a fresh process each.  No pass can tell what lasts
 * longer than itself: a neighbour on the same core, a clock that has been lowered, a process whose
 * pages lie badly.  What an interval says depends on how many passes there are:
 *
 *     one           the median of its rounds, by ranks;
 *     two to five   the span of the passes' own intervals, and sqrt(2) times as wide;
 *     six or more   the median of each pass is one value, and the interval is theirs, by ranks.
 *
 * With two to five, the interval says where the median of another run would be.  That one errs as
 * much as this one does, and the difference of two that err alike is spread sqrt(2) times as wide as
 * each: an interval of a median for 95 % holds another run's in 83 % (2 Phi(1.96 / sqrt 2) - 1);
 * sqrt(2) times as wide, it holds it in 95 %.
 */
#ifndef RUNGS_SERIES_H
#define RUNGS_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/stats.h"

enum { MAX_ROUNDS = 100, MAX_KEPT = 1000, MAX_PASSES = 10, ENOUGH_PASSES = 6 };

/* Round `first` + i of two variants in the same pass was taken side by side. */
struct pass {
    size_t rounds;
    size_t first; /* rounds before these, dropped for drift */
};

struct series {
    size_t rounds;  /* of all passes; 0: there is no such phase, or it was not timed */
    double *round;  /* seconds a cycle; those of the first pass, those of the second ... */
    struct pass pass[MAX_PASSES];
    size_t kept, dropped; /* raw samples, in the order in which they were taken */
    double *sample;       /* those that were kept */
};

/* These values in one pass; the array stays the caller's. */
struct series series_of(double round[], size_t count);

void series_free(struct series *s);

/* Adds a block's median as the last round of a pass, MAX_ROUNDS in all, and keeps its samples. */
void series_add(struct series *s, unsigned pass, const double block[], size_t count);

/* Drops the older half of a pass's rounds; it is the last one. */
void series_forget_older_half(struct series *s, unsigned pass);

/* How many passes have rounds. */
size_t series_passes(const struct series *s);

/* Of all rounds; of six passes or more, of their medians.  NaN where there are none. */
double series_median(const struct series *s);

/* The median and what is around it; low and high as said above, NaN: too few values. */
struct summary series_summary(const struct series *s);

/* The medians of the passes that have rounds, one behind the other; their number. */
size_t series_pass_medians(const struct series *s, double medians[MAX_PASSES]);

/* From the lowest to the highest of the passes' own intervals, and of a pass with too few rounds for
   one, all of its values.  `value`: one a round, sorted by passes.  NaN where all of them together
   are too few for that confidence. */
void series_span(const struct pass pass[MAX_PASSES], const double value[], double confidence,
                 double *low, double *high);

#endif
