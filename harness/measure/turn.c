#define _GNU_SOURCE
#include "harness/measure/turn.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "harness/base/clock.h"
#include "harness/base/random.h"
#include "harness/measure/companions.h"
#include "harness/measure/randomize_layout.h"

static const double MOVING = 0.1; /* share of a block's time that moving memory may take */

enum { TOGETHER = 2 };                                   /* samples in a request, for short calls */
enum { LOOKS = 2, REQUESTS = SAMPLES / TOGETHER + LOOKS }; /* requests of a first call alone; all
                                                              requests in a turn */

/* --- a request -------------------------------------------------------------------------------- */

static bool touches_inputs(const struct cell *c)
{
    return c->problem->touch != NULL;
}

static void append(struct samples *to, const struct samples *more)
{
    for (unsigned i = 0; i < more->count; i++)
        for (int phase = 0; phase < PHASES; phase++)
            to->time[phase][to->count + i] = more->time[phase][i];
    to->count += more->count;
    to->runs = more->count > 0 ? more->runs : to->runs;
}

/* Sends one request of a turn, in brackets, and adds the reply to the block. */
static bool ask(struct cell *c, struct turn *t, const struct request *q, struct reply *a)
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
    bracket_end(&t->bracket, &e->worker, q, a);
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
    }
    return true;
}

/* The same with poison in the output, none of which may be left. */
static bool ask_poisoned(struct cell *c, struct turn *t, const struct request *q, struct reply *a)
{
    const struct poisoned p = touch_outputs(c, t->entrant);
    char place[64];

    if (!ask(c, t, q, a))
        return false;
    if (touch_left(&p, t->entrant, place, sizeof place))
        return entrant_out(t->entrant, OUTCOME_BREACH,
                           "does not write %s in a timed call", place);
    return true;
}

/* --- a turn ----------------------------------------------------------------------------------- */

static bool settles(const struct turn *t, const struct preset *p)
{
    return t->entrant->result->first < p->block_time || t->entrant->result->reps > 1;
}

static struct request request_of(const struct turn *t, const struct preset *p)
{
    return (struct request){.op = OP_BLOCK, .samples = SAMPLES, .reps = t->entrant->result->reps,
                            .seconds = p->block_time, .settle = settles(t, p)};
}

/* The next cycle must not be a sample, because it pays for the new pages. */
static bool relocate(struct cell *c, struct turn *t, const struct preset *p)
{
    return !settles(t, p) ||
           fmax(t->moving, t->entrant->result->setup) > MOVING * p->block_time ||
           randomize_layout(c, t->entrant, &t->moving);
}

/* Calls that last a whole sample: one in each request, on other inputs each time. */
static bool measure_single(struct cell *c, struct turn *t, struct touches *touches,
                           const struct preset *p)
{
    struct request q = request_of(t, p);
    struct reply a;
    double spent = 0.0;

    if (q.settle) {
        q.samples = 0;
        touch_inputs(touches, c, true);
        if (!ask_poisoned(c, t, &q, &a))
            return false;
    }
    q.settle = false;
    q.samples = 1;
    for (unsigned i = 0; i < SAMPLES && (i == 0 || spent < p->block_time); i++) {
        touch_inputs(touches, c, true);
        if (!ask_poisoned(c, t, &q, &a))
            return false;
        spent += a.seconds;
    }
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

/* The first call of a turn belongs to no group of the trial, because its pages are new. */
static bool measure_short(struct cell *c, struct turn *t, struct touches *touches,
                          const struct preset *p)
{
    const uint64_t seed = random_unforeseen();
    const unsigned looks = draw_looks(seed);
    struct request q = request_of(t, p);
    struct reply a;
    double spent = 0.0;

    for (unsigned i = 0; i < REQUESTS && (i == 0 || spent < p->block_time); i++) {
        const bool change = (random_bits(seed, 1, i) & 1) != 0;

        q.samples = looks >> i & 1 ? 0 : TOGETHER;
        q.seconds = p->block_time - spent;
        touch_inputs(touches, c, change);
        if (!ask_poisoned(c, t, &q, &a))
            return false;
        if (i > 0)
            trial_add(&t->trial, change, a.first);
        spent += a.seconds - a.first;
    }
    return true;
}

/* Several processes: one request, so that they are together for long. */
static bool measure_together(struct cell *c, struct turn *t, struct touches *touches, const struct preset *p)
{
    const struct request q = request_of(t, p);
    struct reply a;

    touch_inputs(touches, c, true);
    return ask_poisoned(c, t, &q, &a);
}

/* Ceilings, whose inputs cannot be touched: one request. */
static bool measure_plain(struct cell *c, struct turn *t, const struct preset *p)
{
    const struct request q = request_of(t, p);
    struct reply a;

    return ask(c, t, &q, &a);
}

int turn_given(const struct cell *c, const struct entrant *e)
{
    return e->scale.threads > 0 ? e->scale.threads : e->scale.ranks > 0 ? e->scale.ranks : c->threads;
}

bool turn_measure(struct cell *c, struct turn *t, struct touches *touches, const struct preset *p)
{
    struct entrant *e = t->entrant;
    char text[200];

    t->block = (struct block){.reps = e->result->reps};
    if (!relocate(c, t, p))
        return false;
    const bool there = !touches_inputs(c)    ? measure_plain(c, t, p)
                       : e->scale.processes > 0 && e->result->reps > 1 ? measure_together(c, t, touches, p)
                       : e->result->reps > 1 ? measure_short(c, t, touches, p)
                                             : measure_single(c, t, touches, p);
    if (!there)
        return false;
    t->block.wall = t->bracket.wall;
    t->block.telemetry = telemetry_read(!card_on_cpu(e->worker.variant));
    /* Count at most the threads for which it had processors, whatever it reports. */
    const int given = turn_given(c, e);
    if (bracket_tells(&t->bracket, e->threads < given || given < 1 ? e->threads : given, text, sizeof text))
        return entrant_out(e, OUTCOME_BREACH, "%s", text);
    return true;
}

bool turn_accuse(struct turn *t)
{
    char text[200];

    if (!trial_tells(&t->trial, text, sizeof text))
        return false;
    entrant_out(t->entrant, OUTCOME_BREACH, "%s", text);
    return true;
}

/* --- the last one ----------------------------------------------------------------------------- */

/* Sets the inputs to their final values while calls run. */
struct meddler {
    pthread_t thread;
    const struct touches *touches;
    double wait;         /* seconds */
    _Atomic double done; /* when it was done, by clock_now() */
};

/* Spins instead of sleeping: waking up would take the processor from another process, which a variant
   could notice. */
static void *meddle(void *context)
{
    struct meddler *m = context;
    const double end = clock_now() + m->wait;

    while (clock_now() < end)
        ;
    touch_settle(m->touches);
    atomic_store(&m->done, clock_now());
    return NULL;
}

/* The result of such a request. */
struct meddled {
    bool seen;  /* a call began after the change: its answer must fit the present inputs */
    bool quiet; /* and nothing delayed the calls, which they could have noticed */
};

/* Requests two samples while a few inputs change. */
static bool ask_meddled(struct cell *c, struct turn *t, const struct request *q,
                        const struct touches *touches, struct meddled *is)
{
    const double usual = q->samples * t->sample;
    /* Late, so that little can delay the calls after it. */
    const double part = 1.0 - 0.7 * pow(random_unit(random_unforeseen(), 0, 0), 2.0);
    struct meddler m = {.touches = touches, .wait = part * usual, .done = 0.0};
    struct reply a;

    touch_decoy(touches, c);
    if (pthread_create(&m.thread, NULL, meddle, &m) != 0)
        abort();
    const bool there = ask(c, t, q, &a);
    pthread_join(m.thread, NULL);
    if (!there)
        return false;
    is->seen = atomic_load(&m.done) < a.last_call;
    is->quiet = is->seen && a.seconds - a.first < 1.1 * usual;
    return true;
}

/* Finds a variant that computes only in the first call after a request.  It is repeated if the kernel
   took the variant's processor away for a while after the change, as on a busy machine. */
static bool close_short(struct cell *c, struct turn *t, const struct touches *touches,
                        struct request *q)
{
    enum { ANSWERS = 2, TRIES = 12 };
    const struct entrant *e = t->entrant;
    struct reply a;

    q->samples = TOGETHER;
    if (t->sample == 0.0 && !ask(c, t, q, &a))
        return false;
    bool judged = false;
    for (int i = 0, quiet = 0; i < TRIES && quiet < ANSWERS; i++) {
        struct meddled is;
        if (!ask_meddled(c, t, q, touches, &is))
            return false;
        if (is.seen)
            cell_judge_answer(c, t->entrant);
        if (e->state != ENTRANT_IN)
            return false;
        quiet += is.quiet;
        judged |= is.seen;
    }
    if (judged)
        return true;
    if (!ask(c, t, q, &a))
        return false;
    cell_judge_answer(c, t->entrant);
    return e->state == ENTRANT_IN;
}

static bool close_single(struct cell *c, struct turn *t, const struct touches *touches,
                         struct request *q)
{
    struct reply a;

    if (q->settle) {
        q->samples = 0;
        touch_decoy(touches, c);
        if (!ask(c, t, q, &a))
            return false;
    }
    q->settle = false;
    q->samples = 1;
    touch_settle(touches);
    if (!ask_poisoned(c, t, q, &a))
        return false;
    cell_judge_answer(c, t->entrant);
    return t->entrant->state == ENTRANT_IN;
}

bool turn_close(struct cell *c, struct turn *t, const struct touches *touches,
                const struct preset *p)
{
    struct request q = request_of(t, p);
    struct error error;

    if (!relocate(c, t, p))
        return false;
    if (!arena_show(c->arena, t->entrant->worker.output_file, &error))
        return entrant_out(t->entrant, OUTCOME_SKIPPED, "%s", error.text);
    arena_poison_outputs(c->arena);
    t->block = (struct block){.reps = q.reps};
    return q.reps > 1 ? close_short(c, t, touches, &q) : close_single(c, t, touches, &q);
}
