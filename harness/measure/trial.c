#include "harness/measure/trial.h"

#include <stdio.h>

#include "harness/base/stats.h"
#include "harness/base/text.h"

/* By luck once in 1e8 trials.  A run makes one of each variant, size and pass: 40 at most in ten passes
   of four sizes, so that one that computes is accused with a chance below 1e-6. */
static const double CHANCE = 1e-8;
/* Less than this is no work that was left out: the lines that have changed lie in the cache of another core,
   and some 0.3 us each were seen for four arrays of three elements. */
static const double TIMES = 1.5, LEAST = 5e-6;

void trial_add(struct trial *t, bool changed, double seconds)
{
    if (t->count[changed] < MAX_TRIALS)
        t->first[changed][t->count[changed]++] = seconds;
}

bool trial_tells(const struct trial *t, char *text, size_t bytes)
{
    const double kept = median_of(t->first[0], t->count[0]);
    const double changed = median_of(t->first[1], t->count[1]);

    if (!(changed > TIMES * kept && changed - kept > LEAST) ||
        rank_sum_test(t->first[0], t->count[0], t->first[1], t->count[1]) > CHANCE)
        return false;
    snprintf(text, bytes, "answers from memory while the inputs stay: a call takes %.3g us where they "
             "have changed and %.3g us where they have not (medians of %zu and %zu)",
             changed * 1e6, kept * 1e6, t->count[1], t->count[0]);
    return true;
}
