/*
 * The times of one phase of a variant, in the order of measurement: one value for each round, the median of
 * its block.
 *
 * They are taken in passes, minutes apart, each in a fresh process.  A single pass cannot detect disturbances
 * that last longer than the pass: another program on the same core, a lowered clock, an unlucky placement of
 * pages.  The confidence interval depends on the number of passes:
 *
 *     one           interval of the median of its rounds, by ranks;
 *     two to five   span of the intervals of the passes, made sqrt(2) times as wide;
 *     six or more   interval of the median of the passes' medians, by ranks.
 *
 * With two to five passes the interval predicts the median of a repeated run, which has the same spread.
 * The difference of two such medians has sqrt(2) times the spread of each.  A 95 % interval of a median
 * contains the median of a repeated run in 83 % of cases (2 Phi(1.96 / sqrt 2) - 1); made sqrt(2) times as
 * wide, it does so in 95 %.
 */
#ifndef RUNGS_SERIES_H
#define RUNGS_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/stats.h"

enum { MAX_ROUNDS = 100, MAX_KEPT = 1000, MAX_PASSES = 10, ENOUGH_PASSES = 6 };

/* The rounds of one pass.  Round `first` + i is the same round for all variants. */
struct pass {
    size_t rounds;
    size_t first; /* number of earlier rounds, which were dropped because of drift */
};

struct series {
    size_t rounds;  /* of all passes; 0: no such phase, or not timed */
    double *round;  /* seconds of a cycle, sorted by pass */
    struct pass pass[MAX_PASSES];
    size_t kept, dropped; /* numbers of raw samples */
    double *sample;       /* the kept ones, in the order of measurement */
};

/* Makes a series of one pass; the array remains the caller's. */
struct series series_of(double round[], size_t count);

void series_free(struct series *s);

/* Adds the median of a block as a round of the last pass, up to MAX_ROUNDS in all, and keeps its samples. */
void series_add(struct series *s, unsigned pass, const double block[], size_t count);

/* Drops the older half of the rounds of a pass, which must be the last one. */
void series_forget_older_half(struct series *s, unsigned pass);

/* Returns how many passes have rounds. */
size_t series_passes(const struct series *s);

/* Returns the median of all rounds; with six passes or more, of their medians.  NaN: no rounds. */
double series_median(const struct series *s);

/* Returns the median with its interval (see above; NaN: too few values) and other statistics. */
struct summary series_summary(const struct series *s);

/* Gets the medians of the passes that have rounds.  Returns their number. */
size_t series_pass_medians(const struct series *s, double medians[MAX_PASSES]);

/* Computes the span of the intervals of the passes; a pass with too few rounds for an interval contributes all
   of its values.  `value`: one for each round, sorted by pass.  NaN: all rounds together are too few for this
   confidence. */
void series_span(const struct pass pass[MAX_PASSES], const double value[], double confidence,
                 double *low, double *high);

#endif
