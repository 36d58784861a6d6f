#define _GNU_SOURCE
#include "harness/measure/turn_watch.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "harness/base/clock.h"
#include "harness/base/random.h"
#include "harness/measure/turn_ask.h"

static const double EARLY = 0.2;  /* share of the usual time within which the wrong values are written */
static const double SPREAD = 0.15; /* and by which samples differ from each other */

struct watcher {
    pthread_t thread;
    const struct entrant *entrant;
    struct decoys decoys;
    double begin, written, ended; /* by clock_now() */
    atomic_bool over;      /* the reply has come */
};

/* Spins instead of sleeping: waking up would take the processor from another process, which a variant could notice. */
static void *watch(void *context)
{
    struct watcher *w = context;
    double now;

    while (clock_now() < w->begin)
        ;
    decoys_write(&w->decoys, w->entrant);
    w->written = clock_now();
    do
        now = clock_now();
    while (decoys_look(&w->decoys, w->entrant, now) && !atomic_load(&w->over));
    w->ended = clock_now();
    return NULL;
}

bool turn_watches(const struct entrant *e)
{
    const struct card *v = e->worker.variant;

    return card_on_cpu(v) && !card_is_tree(v) && e->scale.processes == 0 && e->scale.ranks == 0;
}

/* UNTOLD: the calls were too few or too slow, or the values were right. */
enum watched { UNTOLD, IN_TIME, LATE };

/* A call replaces all of its output.  So a wrong value is gone after two calls, unless the machine delays them: by as much as the
   samples took longer than usual.  Only times count in which calls came and went by the worker's own account. */
static enum watched judge(const struct watcher *w, const struct reply *a, double usual, double call, char *place, size_t bytes)
{
    const double took = a->seconds - a->first, from = fmax(w->written, a->last_call + call - took);
    const double enough = fmax(took - usual, 0.0) + SPREAD * usual + 3.0 * call + a->beside;
    const double seen = decoys_seen(&w->decoys, w->entrant, place, bytes);

    if (seen < 0.0 || a->last_call - from <= enough)
        return UNTOLD;
    if (seen >= a->last_call) /* all the calls before the last one have left it there */
        return LATE;
    return w->ended < a->last_call ? IN_TIME : UNTOLD;
}

static bool ask_watched(struct cell *c, struct turn *t, const struct request *q, enum watched *is, char *place, size_t bytes)
{
    const double usual = q->samples * t->sample;
    struct watcher w = {.entrant = t->entrant, .decoys = decoys_draw(c, t->entrant)};
    struct reply a;

    if (w.decoys.count == 0)
        return true;
    w.begin = clock_now() + EARLY * usual * random_unit(random_unforeseen(), 0, 0);
    if (pthread_create(&w.thread, NULL, watch, &w) != 0)
        abort();
    const bool there = turn_ask(c, t, q, &a);
    atomic_store(&w.over, true);
    pthread_join(w.thread, NULL);
    if (!there)
        return false;
    *is = judge(&w, &a, usual, t->sample / (double)q->reps, place, bytes);
    if (w.written < a.last_call) /* the last call had to replace them */
        cell_judge_answer(c, t->entrant);
    return t->entrant->state == ENTRANT_IN;
}

bool turn_watch(struct cell *c, struct turn *t, const struct request *q)
{
    enum { ENOUGH = 1, TOO_MANY = 3, TRIES = 4 };
    int found[] = {[UNTOLD] = 0, [IN_TIME] = 0, [LATE] = 0};
    char place[64];

    while (found[IN_TIME] < ENOUGH && found[UNTOLD] < TRIES) {
        enum watched is = UNTOLD;
        if (!ask_watched(c, t, q, &is, place, sizeof place))
            return false;
        if (++found[is] == TOO_MANY && is == LATE)
            return entrant_out(t->entrant, OUTCOME_BREACH, "does not write %s in a call, but later", place);
    }
    return true;
}
