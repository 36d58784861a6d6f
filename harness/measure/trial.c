#include "harness/measure/trial.h"

#include <stdio.h>

#include "harness/base/stats.h"
#include "harness/base/text.h"

/* By chance once in 1e8 tests.  A run makes one trial for each variant, size and pass: at most 40 in ten passes of four
   sizes.  A trial in doubt is tested again after each further turn, at most some 30 times.  So an honest variant is accused
   with a probability below 1e-6, or 1e-5 if each trial is in doubt. */
static const double CHANCE = 1e-8;
/* A smaller ratio is not omitted work.  A smaller difference may be the cost of changed cache lines, which lie in
   another core's cache: some 0.3 us each were seen, with four arrays of three elements. */
static const double TIMES = 1.5, LEAST = 5e-6;

void trial_add(struct trial *t, bool changed, double seconds)
{
    if (t->count[changed] < MAX_TRIALS)
        t->first[changed][t->count[changed]++] = seconds;
}

static bool is_clear(double kept, double changed)
{
    return changed > TIMES * kept && changed - kept > LEAST;
}

static bool is_sure(const struct trial *t)
{
    return rank_sum_test(t->first[0], t->count[0], t->first[1], t->count[1]) <= CHANCE;
}

bool trial_doubts(const struct trial *t)
{
    return is_clear(median_of(t->first[0], t->count[0]), median_of(t->first[1], t->count[1])) && !is_sure(t);
}

bool trial_tells(const struct trial *t, char *text, size_t bytes)
{
    const double kept = median_of(t->first[0], t->count[0]);
    const double changed = median_of(t->first[1], t->count[1]);

    if (!is_clear(kept, changed) || !is_sure(t))
        return false;
    snprintf(text, bytes, "returns earlier answers while the inputs stay the same: a call takes %.3g us if they "
             "have changed and %.3g us if not (medians of %zu and %zu)",
             changed * 1e6, kept * 1e6, t->count[1], t->count[0]);
    return true;
}
