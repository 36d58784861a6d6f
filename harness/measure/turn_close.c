/* The last requests of a pass: turn_close. */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "harness/base/clock.h"
#include "harness/base/random.h"
#include "harness/measure/turn.h"
#include "harness/measure/turn_ask.h"
#include "harness/measure/turn_watch.h"

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
    const bool there = turn_ask(c, t, q, &a);
    pthread_join(m.thread, NULL);
    if (!there)
        return false;
    is->seen = atomic_load(&m.done) < a.last_call;
    is->quiet = is->seen && a.seconds - a.first < 1.1 * usual;
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
    const struct entrant *e = t->entrant;
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
    if (!judged) {
        if (!turn_ask(c, t, q, &a))
            return false;
        cell_judge_answer(c, t->entrant);
        if (e->state != ENTRANT_IN)
            return false;
    }
    return !turn_watches(e) || turn_watch(c, t, q);
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
