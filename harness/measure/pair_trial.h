/*
 * The trial of whole changes: does a variant need an earlier answer for nearly the same inputs?
 *
 * A pair is two calls on the same data set: its first call on it, in the middle of a turn, and one in the next round,
 * which has that set.  A variant that computes takes equally long for both, up to chance.  One that goes on from its
 * earlier answer takes longer for the first.
 *
 * It is a sequence of bets (G. Shafer, J. R. Stat. Soc. A 184(2), 2021).  Of a variant that computes, the first call
 * of a pair is the longer one with a probability of at most 1/2.  So a stake that a pair multiplies by 1.7 if it is, and
 * else by 0.3, does not grow on average.  It ever reaches 10^5 times what it was with a probability of at most 10^-5,
 * however often one looks (J. Ville, 1939).  In fact by far less, because the first call counts as longer from 1.25 times
 * the other on.
 */
#ifndef RUNGS_PAIR_TRIAL_H
#define RUNGS_PAIR_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_PAIRS = 100 };

struct pair_trial {
    size_t set;     /* number of the data set whose first call waits for the other one */
    double waits;   /* its seconds; 0: there is none */
    double stake;   /* natural logarithm */
    bool accuses;
    size_t count, longer; /* pairs, and those whose first call was the longer one */
    double first[MAX_PAIRS], later[MAX_PAIRS]; /* seconds of the two calls of each pair */
};

/* A variant's first call on a data set, and a later one. */
void pair_trial_first(struct pair_trial *t, size_t set, double seconds);
void pair_trial_later(struct pair_trial *t, size_t set, double seconds);

/* Returns whether the first call on this data set still waits for the other. */
bool pair_trial_waits(const struct pair_trial *t, size_t set);

/* Returns whether more pairs are needed: most are against the variant, but not enough of them. */
bool pair_trial_doubts(const struct pair_trial *t);

/* Returns whether the variant goes on from earlier answers.  `text` then says how much longer a call takes without one. */
bool pair_trial_tells(const struct pair_trial *t, char *text, size_t bytes);

#endif
