#define _GNU_SOURCE
#include "harness/measure/turn.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
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
        t->latest = a->samples.time[PHASE_E2E][a->samples.count - 1];
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

/* Calls of a turn that are no samples. */
struct apart {
    unsigned calls;
    double seconds;
};

/* A call that is no sample.  *took: its seconds. */
static bool call_apart(struct cell *c, struct turn *t, struct touches *touches, const struct preset *p, double *took)
{
    struct request q = request_of(t, p);
    struct reply a;

    q.settle = true;
    q.samples = 0;
    touch_inputs(touches, c, true);
    if (!ask_poisoned(c, t, &q, &a))
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

/* Returns whether a call after a touch may be the later one of a pair: what is in a cache then hardly matters.  A GPU does other things
   before a sample. */
static bool compares(const struct turn *t)
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
    if (!call_apart(c, t, touches, p, took))
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

/* Not one of the first that a variant makes on a set, if its turns have more: where it computes there, it gains nothing. */
static void note_later(struct turn *t, double took, const struct preset *p)
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
    note_later(t, took, p);
    return true;
}

/* Between two of a turn's requests, of which there are so many, coins decide whether all inputs are written. */
static bool write_all_at_times(struct cell *c, struct turn *t, struct touches *touches, const struct preset *p, double requests,
                               struct apart *apart)
{
    if (!may_change_all(t))
        return true;
    const uint64_t seed = random_unforeseen();
    const double often = fmin(0.5, 1.2 / requests);

    if (t->visited != t->sets->number[NEXT] && random_unit(seed, 0, 0) < often &&
        !visit_next(c, t, touches, p, apart))
        return false;
    return compares(t) || !pair_trial_waits(&t->pairs, t->sets->number[PRESENT]) || random_unit(seed, 0, 1) >= often ||
           call_later(c, t, touches, p, apart);
}

static void begin_set(struct turn *t)
{
    const size_t set = t->sets != NULL ? t->sets->number[PRESENT] : 0;

    t->calls = set == t->set ? t->calls : 0;
    t->set = set;
}

/* Calls that last a whole sample: one in each request, on other inputs each time. */
static bool measure_single(struct cell *c, struct turn *t, struct touches *touches,
                           const struct preset *p)
{
    struct request q = request_of(t, p);
    struct reply a;
    struct apart apart = {.calls = 0};
    double spent = 0.0, took;

    begin_set(t);
    if (q.settle && !call_apart(c, t, touches, p, &took))
        return false;
    t->calls += q.settle;
    q.settle = false;
    q.samples = 1;
    for (unsigned i = 0; i == 0 || (i + apart.calls < SAMPLES && spent + apart.seconds < p->block_time); i++) {
        if (i > 0 && !write_all_at_times(c, t, touches, p, fmin(SAMPLES, p->block_time / t->latest), &apart))
            return false;
        touch_inputs(touches, c, true);
        if (!ask_poisoned(c, t, &q, &a))
            return false;
        spent += a.seconds;
        t->calls++;
    }
    if (compares(t))
        note_later(t, a.samples.time[PHASE_E2E][0], p);
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
    struct request q = request_of(t, p);
    struct reply a;
    struct apart apart = {.calls = 0};
    double spent = 0.0;

    begin_set(t);
    for (unsigned i = 0; i < REQUESTS && (i == 0 || spent < p->block_time); i++) {
        const bool change = (random_bits(seed, 1, i) & 1) != 0;

        if (i > 0 && !write_all_at_times(c, t, touches, p, REQUESTS, &apart))
            return false;
        q.samples = looks >> i & 1 ? 0 : TOGETHER;
        q.seconds = p->block_time - spent;
        touch_inputs(touches, c, change);
        if (!change)
            touch_outputs_again(c, t->entrant);
        if (change ? !ask_poisoned(c, t, &q, &a) : !ask(c, t, &q, &a))
            return false;
        if (i > 0)
            trial_add(&t->trial, change, a.first);
        t->calls += 1 + a.samples.count * q.reps;
        if (q.samples == 0 && compares(t))
            note_later(t, a.first, p);
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
    t->writing = 0.0;
    t->block.data_seed = c->opened != NULL                                       ? 0
                         : t->sets != NULL && t->sets->bytes[PRESENT] != NULL ? t->sets->seed[PRESENT]
                                                                              : c->seed;
    if (!relocate(c, t, p))
        return false;
    const bool there = !touches_inputs(c)    ? measure_plain(c, t, p)
                       : e->scale.processes > 0 && e->result->reps > 1 ? measure_together(c, t, touches, p)
                       : e->result->reps > 1 ? measure_short(c, t, touches, p)
                                             : measure_single(c, t, touches, p);
    if (!there)
        return false;
    t->block.wall = t->bracket.wall + t->writing;
    t->block.telemetry = telemetry_read(!card_on_cpu(e->worker.variant));
    /* Count at most the threads for which it had processors, whatever it reports. */
    const int given = turn_given(c, e);
    if (bracket_tells(&t->bracket, e->threads < given || given < 1 ? e->threads : given, text, sizeof text))
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

/* --- the last one ----------------------------------------------------------------------------- */

/* What the parent does while calls run: writes wrong values into the output and looks for how long they stay; meanwhile sets the
   inputs to their final values. */
struct meddler {
    pthread_t thread;
    struct cell *cell;
    const struct entrant *entrant; /* NULL: its output is not looked at */
    const struct touches *touches;
    double mislead, settle; /* when to do it */
    struct decoys decoys;
    double misled;       /* when it was, by clock_now() */
    _Atomic double done; /* when the inputs had their final values */
    atomic_bool over;    /* the reply has come */
};

/* Spins instead of sleeping: waking up would take the processor from another process, which a variant
   could notice. */
static void spin_until(double end)
{
    while (clock_now() < end)
        ;
}

static void settle(struct meddler *m)
{
    touch_settle(m->touches);
    atomic_store(&m->done, clock_now());
}

static void watch_output(struct meddler *m)
{
    bool left = true;

    spin_until(m->mislead);
    m->decoys = touch_decoys(m->cell, m->entrant);
    m->misled = clock_now();
    while (left && !atomic_load(&m->over)) {
        const double now = clock_now();
        if (now >= m->settle && atomic_load(&m->done) == 0.0)
            settle(m);
        left = touch_see_decoys(&m->decoys, m->entrant, now);
    }
}

static void *meddle(void *context)
{
    struct meddler *m = context;

    if (m->entrant != NULL)
        watch_output(m);
    if (atomic_load(&m->done) == 0.0) {
        spin_until(m->settle);
        settle(m);
    }
    return NULL;
}

/* The result of such a request. */
struct meddled {
    bool seen;  /* a call began after the change: its answer must fit the present inputs */
    bool quiet; /* and nothing delayed the calls, which they could have noticed */
    bool late;  /* calls came and went, and left a wrong value as it was; `place` is where */
    char place[64];
};

/* A GPU's answers, and those of several processes, come as they please. */
static bool can_watch(const struct entrant *e)
{
    return card_on_cpu(e->worker.variant) && e->scale.processes == 0 && e->scale.ranks == 0;
}

/* A call replaces all of its output.  So a wrong value is gone after two calls, unless the machine delays them: by as much as the
   samples took longer than usual.  Where there are phases, they come before the calls, and may have one download. */
static bool writes_late(const struct turn *t, const struct meddler *m, const struct reply *a, double usual, double call,
                        char *place, size_t bytes)
{
    const struct card *v = t->entrant->worker.variant;
    const bool copies = card_has(v, CARD_UPLOAD) || card_has(v, CARD_DOWNLOAD);
    const double phases = copies ? 0.5e-3 + 3.0 * call : 0.0, took = a->seconds - a->first;
    const double from = a->last_call + call - took; /* by its own account, the worker made one call after the other from here on */
    const double enough = fmax(took - usual, 0.0) + 0.15 * usual + 3.0 * call + phases;

    const double seen = touch_gone_decoy(&m->decoys, m->entrant, place, bytes);

    return fmin(seen, a->last_call) - fmax(m->misled, from) > enough;
}

/* Requests two samples while a few inputs change. */
static bool ask_meddled(struct cell *c, struct turn *t, const struct request *q,
                        const struct touches *touches, struct meddled *is)
{
    const double usual = q->samples * t->sample;
    const uint64_t seed = random_unforeseen();
    /* Late, so that little can delay the calls after it. */
    const double part = 1.0 - 0.7 * pow(random_unit(seed, 0, 0), 2.0);
    struct reply a;

    touch_decoy(touches, c);
    const double begin = clock_now();
    struct meddler m = {.cell = c, .entrant = can_watch(t->entrant) ? t->entrant : NULL, .touches = touches, .done = 0.0,
                        .mislead = begin + 0.4 * usual * random_unit(seed, 0, 1), .settle = begin + part * usual};
    if (pthread_create(&m.thread, NULL, meddle, &m) != 0)
        abort();
    const bool there = ask(c, t, q, &a);
    atomic_store(&m.over, true);
    pthread_join(m.thread, NULL);
    if (!there)
        return false;
    is->seen = atomic_load(&m.done) < a.last_call;
    is->quiet = is->seen && a.seconds - a.first < 1.1 * usual;
    is->late = is->seen && m.entrant != NULL && writes_late(t, &m, &a, usual, t->sample / (double)q->reps, is->place, sizeof is->place);
    return true;
}

/* Returns whether answers are judged for the next data set. */
static bool is_next(const struct turn *t)
{
    return t->sets != NULL && t->sets->now == NEXT;
}

/* A call on the present data set, before all inputs become those of the next one with their final values. */
static bool ask_before(struct cell *c, struct turn *t, const struct request *q, const struct touches *touches)
{
    struct touches others;
    struct reply a;

    data_sets_write(t->sets, c, PRESENT, &others);
    touch_inputs(&others, c, true);
    const bool there = ask(c, t, q, &a);
    data_sets_write(t->sets, c, NEXT, &others);
    touch_settle(touches);
    return there;
}

/* Finds a variant that computes only in the first call after a request.  It is repeated if the kernel
   took the variant's processor away for a while after the change, as on a busy machine. */
static bool close_short(struct cell *c, struct turn *t, const struct touches *touches,
                        struct request *q)
{
    enum { ANSWERS = 2, TRIES = 12 };
    struct entrant *e = t->entrant;
    struct reply a;

    if (is_next(t)) {
        q->samples = 0;
        if (!ask_before(c, t, q, touches) || !ask_poisoned(c, t, q, &a))
            return false;
        cell_judge_answer(c, t->entrant);
        if (e->state != ENTRANT_IN)
            return false;
    }
    q->samples = TOGETHER;
    if (t->sample == 0.0 && !ask(c, t, q, &a))
        return false;
    bool judged = false;
    for (int i = 0, quiet = 0, late = 0; i < TRIES && (quiet < ANSWERS || late == 1); i++) {
        struct meddled is;
        if (!ask_meddled(c, t, q, touches, &is))
            return false;
        if (is.seen)
            cell_judge_answer(c, t->entrant);
        if (e->state != ENTRANT_IN)
            return false;
        quiet += is.quiet;
        late += is.late;
        judged |= is.seen;
        if (late == ANSWERS)
            return entrant_out(e, OUTCOME_BREACH, "does not write %s in a call, but later", is.place);
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
    const bool next = is_next(t);
    struct reply a;

    q->samples = 0;
    if (q->settle && next && !ask_before(c, t, q, touches))
        return false;
    if (q->settle && !next) {
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
