/* The last requests of a pass: turn_close. */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/clock.h"
#include "harness/base/random.h"
#include "harness/measure/turn.h"
#include "harness/measure/turn_ask.h"

/* What the parent does while calls run: poisons a few lines of the output and looks for how long they stay; meanwhile sets the
   inputs to their final values. */
struct meddler {
    pthread_t thread;
    struct cell *cell;
    const struct entrant *entrant; /* NULL: its output is not looked at */
    const struct touches *touches;
    double poison, settle;   /* when to do it */
    double poisoned, looked; /* when it was, and when poison was last seen there; by clock_now() */
    char place[64];
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

static void watch_poison(struct meddler *m)
{
    bool left = true;

    spin_until(m->poison);
    const struct poisoned p = touch_outputs(m->cell, m->entrant);
    m->poisoned = clock_now();
    while (left && !atomic_load(&m->over)) {
        const double now = clock_now();
        if (now >= m->settle && atomic_load(&m->done) == 0.0)
            settle(m);
        left = touch_left(&p, m->entrant, m->place, sizeof m->place);
        m->looked = left ? now : m->looked;
    }
}

static void *meddle(void *context)
{
    struct meddler *m = context;

    if (m->entrant != NULL)
        watch_poison(m);
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
    bool late;  /* calls came and went, and did not write what was poisoned; `place` is where */
    char place[64];
};

/* A GPU's answers, and those of several processes, come as they please. */
static bool can_watch(const struct entrant *e)
{
    return card_on_cpu(e->worker.variant) && e->scale.processes == 0 && e->scale.ranks == 0;
}

/* A call replaces all of its output.  So poison is gone after two calls, unless the machine delays them: by as much as the
   samples took longer than usual.  Where there are phases, they come before the calls, and may have one download. */
static bool writes_late(const struct turn *t, const struct meddler *m, const struct reply *a, double usual, double call)
{
    const struct card *v = t->entrant->worker.variant;
    const bool copies = card_has(v, CARD_UPLOAD) || card_has(v, CARD_DOWNLOAD);
    const double phases = copies ? 0.5e-3 + 3.0 * call : 0.0, took = a->seconds - a->first;
    const double from = a->last_call + call - took; /* by its own account, the worker made one call after the other from here on */
    const double enough = fmax(took - usual, 0.0) + 0.15 * usual + 3.0 * call + phases;

    return fmin(m->looked, a->last_call) - fmax(m->poisoned, from) > enough;
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
                        .poison = begin + 0.4 * usual * random_unit(seed, 0, 1), .settle = begin + part * usual};
    if (pthread_create(&m.thread, NULL, meddle, &m) != 0)
        abort();
    const bool there = turn_ask(c, t, q, &a);
    atomic_store(&m.over, true);
    pthread_join(m.thread, NULL);
    if (!there)
        return false;
    is->seen = atomic_load(&m.done) < a.last_call;
    is->quiet = is->seen && a.seconds - a.first < 1.1 * usual;
    is->late = is->seen && m.entrant != NULL && writes_late(t, &m, &a, usual, t->sample / (double)q->reps);
    snprintf(is->place, sizeof is->place, "%s", m.place);
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
    const bool there = turn_ask(c, t, q, &a);
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
        if (!ask_before(c, t, q, touches) || !turn_ask_poisoned(c, t, q, &a))
            return false;
        cell_judge_answer(c, t->entrant);
        if (e->state != ENTRANT_IN)
            return false;
    }
    q->samples = TOGETHER;
    if (t->sample == 0.0 && !turn_ask(c, t, q, &a))
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
    if (!turn_ask(c, t, q, &a))
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
        if (!turn_ask(c, t, q, &a))
            return false;
    }
    q->settle = false;
    q->samples = 1;
    touch_settle(touches);
    if (!turn_ask_poisoned(c, t, q, &a))
        return false;
    cell_judge_answer(c, t->entrant);
    return t->entrant->state == ENTRANT_IN;
}

bool turn_close(struct cell *c, struct turn *t, const struct touches *touches,
                const struct preset *p)
{
    struct request q = turn_request(t, p);
    struct error error;

    if (!turn_relocate(c, t, p))
        return false;
    if (!arena_show(c->arena, t->entrant->worker.output_file, &error))
        return entrant_out(t->entrant, OUTCOME_SKIPPED, "%s", error.text);
    arena_poison_outputs(c->arena);
    t->block = (struct block){.reps = q.reps};
    return q.reps > 1 ? close_short(c, t, touches, &q) : close_single(c, t, touches, &q);
}
