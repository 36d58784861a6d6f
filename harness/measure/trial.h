/*
 * The trial of first calls: does a variant look whether its inputs have changed?
 *
 * A variant that returns an earlier answer where the inputs are as they were, and computes where they are
 * not, is never wrong.  But its first call after a request takes longer where the parent has changed the
 * inputs than where it has not.  A coin decides which.  For a variant that computes in every call, any
 * split of the times into two series is as likely as any other.
 */
#ifndef RUNGS_TRIAL_H
#define RUNGS_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_TRIALS = 600 };

struct trial {
    size_t count[2];
    double first[2][MAX_TRIALS]; /* seconds; [0]: inputs as they were, [1]: changed */
};

void trial_add(struct trial *t, bool changed, double seconds);

/* Are calls on changed inputs clearly longer?  Then `text` says by how much. */
bool trial_tells(const struct trial *t, char *text, size_t bytes);

#endif
