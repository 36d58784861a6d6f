/*
 * The trial of first calls: does a variant check whether its inputs have changed?
 *
 * A variant could return an earlier answer while its inputs stay the same, and compute only when they
 * change.  It would never be wrong.  But its first call after a request would take longer if the parent
 * has changed the inputs than if not.  A coin decides whether they change.  For a variant that computes
 * in every call, any split of the times into two groups is equally likely.
 */
#ifndef RUNGS_TRIAL_H
#define RUNGS_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_TRIALS = 600 };

struct trial {
    size_t count[2];
    double first[2][MAX_TRIALS]; /* seconds; [0]: inputs unchanged, [1]: changed */
};

void trial_add(struct trial *t, bool changed, double seconds);

/* Returns whether calls on changed inputs seem to take clearly longer, but too few tell. */
bool trial_doubts(const struct trial *t);

/* Returns whether calls on changed inputs take clearly longer.  `text` then says by how much. */
bool trial_tells(const struct trial *t, char *text, size_t bytes);

#endif
