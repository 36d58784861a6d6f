#include "harness/measure/pair_trial.h"

#include <math.h>
#include <stdio.h>

#include "harness/base/stats.h"

/* Less is no omitted work: data that a processor has not seen may cost some more mispredicted branches. */
static const double TIMES = 1.25;
static const double LONGER = 1.7, NOT_LONGER = 0.3; /* what a pair multiplies the stake by */
static const double ENOUGH = 1e5;

void pair_trial_first(struct pair_trial *t, size_t set, double seconds)
{
    t->set = set;
    t->waits = seconds;
}

bool pair_trial_waits(const struct pair_trial *t, size_t set)
{
    return t->waits > 0.0 && t->set == set && t->count < MAX_PAIRS;
}

void pair_trial_later(struct pair_trial *t, size_t set, double seconds)
{
    if (!pair_trial_waits(t, set))
        return;
    t->first[t->count] = t->waits;
    t->later[t->count++] = seconds;
    const bool longer = t->waits > TIMES * seconds;
    t->longer += longer;
    t->stake += log(longer ? LONGER : NOT_LONGER);
    t->accuses |= t->stake >= log(ENOUGH);
    t->waits = 0.0;
}

bool pair_trial_doubts(const struct pair_trial *t)
{
    return 2 * t->longer > t->count && !t->accuses && t->count < MAX_PAIRS;
}

bool pair_trial_tells(const struct pair_trial *t, char *text, size_t bytes)
{
    const double first = median_of(t->first, t->count), later = median_of(t->later, t->count);

    if (!t->accuses || !(first > TIMES * later))
        return false;
    snprintf(text, bytes, "goes on from earlier answers: a call takes %.3g ms if all inputs have changed, and %.3g ms if a few "
             "have (medians of %zu pairs)", first * 1e3, later * 1e3, t->count);
    return true;
}
