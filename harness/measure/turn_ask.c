#include "harness/measure/turn_ask.h"

#include <math.h>

#include "harness/base/clock.h"
#include "harness/measure/companions.h"
#include "harness/measure/randomize_layout.h"

static const double MOVING = 0.1; /* share of a block's time that moving memory may take */

static bool settles(const struct turn *t, const struct preset *p)
{
    return t->entrant->result->first < p->block_time || t->entrant->result->reps > 1;
}

struct request turn_request(const struct turn *t, const struct preset *p)
{
    return (struct request){.op = OP_BLOCK, .samples = SAMPLES, .reps = t->entrant->result->reps,
                            .seconds = p->block_time, .settle = settles(t, p)};
}

bool turn_relocate(struct cell *c, struct turn *t, const struct preset *p)
{
    return !settles(t, p) ||
           fmax(t->moving, t->entrant->result->setup) > MOVING * p->block_time ||
           randomize_layout(c, t->entrant, &t->moving);
}

static void append(struct samples *to, const struct samples *more)
{
    for (unsigned i = 0; i < more->count; i++)
        for (int phase = 0; phase < PHASES; phase++)
            to->time[phase][to->count + i] = more->time[phase][i];
    to->count += more->count;
    to->runs = more->count > 0 ? more->runs : to->runs;
}

bool turn_ask(struct cell *c, struct turn *t, const struct request *q, struct reply *a)
{
    struct entrant *e = t->entrant;
    struct block *b = &t->block;
    double cycles;

    if (!companions_begin(c, e))
        return false;
    bracket_begin(&t->bracket, &e->worker);
    const double from = clock_now();
    if (!entrant_ask(c, e, q, a))
        return false;
    const double until = clock_now();
    bracket_end(&t->bracket, &e->worker, q, a, turn_threads(c, e));
    if (!companions_end(c, e, from, until, &cycles))
        return false;
    if (e->scale.processes > 0)
        companions_share(e, &a->samples, cycles / (until - from));
    append(&b->samples, &a->samples);
    b->seconds += a->seconds;
    b->cpu_seconds += card_is_tree(e->worker.variant) ? t->bracket.used : a->cpu_seconds;
    if (a->samples.count > 0) {
        const double sample = (a->seconds - a->first) / a->samples.count;
        t->sample = t->sample > 0.0 ? fmin(t->sample, sample) : sample;
        t->latest = a->samples.time[PHASE_E2E][a->samples.count - 1];
    }
    return true;
}

bool turn_ask_poisoned(struct cell *c, struct turn *t, const struct request *q, struct reply *a)
{
    const struct poisoned p = touch_outputs(c, t->entrant);
    char place[64];

    if (!turn_ask(c, t, q, a))
        return false;
    if (touch_left(&p, t->entrant, place, sizeof place))
        return entrant_out(t->entrant, OUTCOME_BREACH,
                           "does not write %s in a timed call", place);
    return true;
}
