#include "harness/measure/turn.h"

#include <math.h>

#include "harness/base/random.h"
#include "harness/measure/turn_apart.h"
#include "harness/measure/turn_ask.h"
#include "harness/measure/turn_watch.h"

enum { LOOKS = 2, REQUESTS = SAMPLES / TOGETHER + LOOKS }; /* requests of a first call alone; all requests in a turn */

static bool touches_inputs(const struct cell *c)
{
    return c->problem->touch != NULL;
}

/* Calls that last a whole sample: one in each request, on other inputs each time. */
static bool measure_single(struct cell *c, struct turn *t, struct touches *touches,
                           const struct preset *p)
{
    struct request q = turn_request(t, p);
    struct reply a;
    struct apart apart = {.calls = 0};
    double spent = 0.0, took;

    apart_begin(t);
    if (q.settle && !apart_call(c, t, touches, p, &took))
        return false;
    t->calls += q.settle;
    q.settle = false;
    q.samples = 1;
    for (unsigned i = 0; i == 0 || (i + apart.calls < SAMPLES && spent + apart.seconds < p->block_time); i++) {
        if (i > 0 && !apart_write_at_times(c, t, touches, p, fmin(SAMPLES, p->block_time / t->latest), &apart))
            return false;
        touch_inputs(touches, c, true);
        if (!turn_ask_poisoned(c, t, &q, &a))
            return false;
        spent += a.seconds;
        t->calls++;
    }
    if (apart_compares(t))
        apart_note_later(t, a.samples.time[PHASE_E2E][0], p);
    return true;
}

/* Draws the requests that consist of the first call alone. */
static unsigned draw_looks(uint64_t seed)
{
    unsigned looks = 0;

    for (unsigned i = 0, drawn = 0; drawn < LOOKS; i++) {
        const unsigned one = 1U << random_bits(seed, 0, i) % REQUESTS;
        drawn += (looks & one) == 0;
        looks |= one;
    }
    return looks;
}

/* Inputs and output change together, or neither does: then also an output that is right already may be taken for an answer,
   and the trial finds that.  The first call of a turn belongs to neither group, because its pages are new. */
static bool measure_short(struct cell *c, struct turn *t, struct touches *touches,
                          const struct preset *p)
{
    const uint64_t seed = random_unforeseen();
    const unsigned looks = draw_looks(seed);
    struct request q = turn_request(t, p);
    struct reply a;
    struct apart apart = {.calls = 0};
    double spent = 0.0;

    apart_begin(t);
    for (unsigned i = 0; i < REQUESTS && (i == 0 || spent < p->block_time); i++) {
        const bool change = (random_bits(seed, 1, i) & 1) != 0;

        if (i > 0 && !apart_write_at_times(c, t, touches, p, REQUESTS, &apart))
            return false;
        q.samples = looks >> i & 1 ? 0 : TOGETHER;
        q.seconds = p->block_time - spent;
        touch_inputs(touches, c, change);
        if (!change)
            touch_outputs_again(c, t->entrant);
        if (change ? !turn_ask_poisoned(c, t, &q, &a) : !turn_ask(c, t, &q, &a))
            return false;
        if (i > 0)
            trial_add(&t->trial, change, a.first);
        t->calls += 1 + a.samples.count * q.reps;
        if (q.samples == 0 && apart_compares(t))
            apart_note_later(t, a.first, p);
        spent += a.seconds - a.first;
    }
    return true;
}

/* Several processes: one request, so that they are together for long. */
static bool measure_together(struct cell *c, struct turn *t, struct touches *touches, const struct preset *p)
{
    const struct request q = turn_request(t, p);
    struct reply a;

    touch_inputs(touches, c, true);
    return turn_ask_poisoned(c, t, &q, &a);
}

/* Ceilings, whose inputs cannot be touched: one request. */
static bool measure_plain(struct cell *c, struct turn *t, const struct preset *p)
{
    const struct request q = turn_request(t, p);
    struct reply a;

    return turn_ask(c, t, &q, &a);
}

int turn_given(const struct cell *c, const struct entrant *e)
{
    return e->scale.threads > 0 ? e->scale.threads : e->scale.ranks > 0 ? e->scale.ranks : c->threads;
}

int turn_threads(const struct cell *c, const struct entrant *e)
{
    const int given = turn_given(c, e);

    return e->threads < given || given < 1 ? e->threads : given;
}

bool turn_measure(struct cell *c, struct turn *t, struct touches *touches, const struct preset *p)
{
    struct entrant *e = t->entrant;
    char text[200];

    t->block = (struct block){.reps = e->result->reps};
    t->writing = 0.0;
    t->block.data_seed = c->opened != NULL                                       ? 0
                         : t->sets != NULL && t->sets->bytes[PRESENT] != NULL ? t->sets->seed[PRESENT]
                                                                              : c->seed;
    if (!turn_relocate(c, t, p))
        return false;
    const bool there = !touches_inputs(c)    ? measure_plain(c, t, p)
                       : e->scale.processes > 0 && e->result->reps > 1 ? measure_together(c, t, touches, p)
                       : e->result->reps > 1 ? measure_short(c, t, touches, p)
                                             : measure_single(c, t, touches, p);
    if (!there)
        return false;
    t->block.wall = t->bracket.wall + t->writing;
    t->block.telemetry = telemetry_read(!card_on_cpu(e->worker.variant));
    if (bracket_tells(&t->bracket, turn_threads(c, e), text, sizeof text) ||
        (turn_watches(e) && bracket_hides(&t->bracket, text, sizeof text)))
        return entrant_out(e, OUTCOME_BREACH, "%s", text);
    return true;
}

bool turn_doubted(const struct turn *t, size_t further)
{
    enum { MOST = 30, MOST_PAIRED = 1000 }; /* a pair takes some turns */

    return (further < MOST && trial_doubts(&t->trial)) || (further < MOST_PAIRED && pair_trial_doubts(&t->pairs));
}

bool turn_accuse(struct turn *t)
{
    char text[200];

    if (!trial_tells(&t->trial, text, sizeof text) && !pair_trial_tells(&t->pairs, text, sizeof text))
        return false;
    entrant_out(t->entrant, OUTCOME_BREACH, "%s", text);
    return true;
}
