#include "harness/measure/turn_apart.h"

#include <math.h>

#include "harness/base/random.h"
#include "harness/measure/turn_ask.h"

bool apart_call(struct cell *c, struct turn *t, struct touches *touches, const struct preset *p, double *took)
{
    struct request q = turn_request(t, p);
    struct reply a;

    q.settle = true;
    q.samples = 0;
    touch_inputs(touches, c, true);
    if (!turn_ask_poisoned(c, t, &q, &a))
        return false;
    *took = a.first;
    return true;
}

/* Writing all inputs must not take longer than calls, which then have nothing to gain. */
static bool may_change_all(const struct turn *t)
{
    return t->sets != NULL && t->sets->bytes[PRESENT] != NULL && t->entrant->scale.processes == 0 &&
           t->latest > fmax(LEAST_CHANGED, 2.0 * t->sets->copying);
}

bool apart_compares(const struct turn *t)
{
    return may_change_all(t) && card_on_cpu(t->entrant->worker.variant) && t->latest > 20.0 * t->sets->copying;
}

/* What a call cost that was a request of its own: the processor time, which waiting on a busy machine does not change, if the
   kernel counts all of it and well enough; else the time that it took. */
static double cost_of(const struct turn *t, double took)
{
    const struct card *v = t->entrant->worker.variant;

    return card_on_cpu(v) && !card_is_tree(v) && t->bracket.used > 0.0 ? t->bracket.used : took;
}

/* Writes all inputs and makes a call that is no sample. */
static bool call_after_all(struct cell *c, struct turn *t, size_t set, struct touches *touches, const struct preset *p,
                           struct apart *apart, double *took)
{
    data_sets_write(t->sets, c, set, touches);
    if (!apart_call(c, t, touches, p, took))
        return false;
    t->writing += t->sets->copying;
    apart->seconds += *took + t->sets->copying;
    apart->calls++;
    return true;
}

/* In most turns with several calls, but at no place that could be foreseen: calls the variant on the next data set, and once more on
   the present one. */
static bool visit_next(struct cell *c, struct turn *t, struct touches *touches, const struct preset *p, struct apart *apart)
{
    double took, back;

    t->visited = t->sets->number[NEXT];
    const bool there = call_after_all(c, t, NEXT, touches, p, apart, &took);
    if (!there) {
        data_sets_write(t->sets, c, PRESENT, touches);
        return false;
    }
    pair_trial_first(&t->pairs, t->sets->number[NEXT], cost_of(t, took));
    t->calls = 1; /* it may compute after this change, too */
    return call_after_all(c, t, PRESENT, touches, p, apart, &back);
}

void apart_note_later(struct turn *t, double took, const struct preset *p)
{
    const double cost = cost_of(t, took);
    const size_t first = cost > p->block_time / 2.0 ? 1 : 2;

    if (t->calls > first)
        pair_trial_later(&t->pairs, t->set, cost);
}

/* The later call of a pair, after all inputs were written as they are, which has the same effect on caches as a change. */
static bool call_later(struct cell *c, struct turn *t, struct touches *touches, const struct preset *p, struct apart *apart)
{
    double took;

    if (!call_after_all(c, t, PRESENT, touches, p, apart, &took))
        return false;
    t->calls++;
    apart_note_later(t, took, p);
    return true;
}

bool apart_write_at_times(struct cell *c, struct turn *t, struct touches *touches, const struct preset *p, double requests,
                               struct apart *apart)
{
    if (!may_change_all(t))
        return true;
    const uint64_t seed = random_unforeseen();
    const double often = fmin(0.5, 1.2 / requests);

    if (t->visited != t->sets->number[NEXT] && random_unit(seed, 0, 0) < often &&
        !visit_next(c, t, touches, p, apart))
        return false;
    return apart_compares(t) || !pair_trial_waits(&t->pairs, t->sets->number[PRESENT]) || random_unit(seed, 0, 1) >= often ||
           call_later(c, t, touches, p, apart);
}

void apart_begin(struct turn *t)
{
    const size_t set = t->sets != NULL ? t->sets->number[PRESENT] : 0;

    t->calls = set == t->set ? t->calls : 0;
    t->set = set;
}
