#include "harness/measure/fastest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/measure/predict.h"

static bool any_waits(const struct cell *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->entrants[i].state == ENTRANT_WAITS)
            return true;
    return false;
}

/* Returns the shortest predicted call, in seconds; infinite: there is none. */
static double shortest(const struct cell *c)
{
    double least = INFINITY;

    for (size_t i = 0; i < c->count; i++)
        least = fmin(least, c->entrants[i].result->predicted);
    return least;
}

/* Takes out those that predict() has excluded and whose call is predicted to take longer. */
static void drop_slower(struct cell *c, double seconds)
{
    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (e->state == ENTRANT_SITS_OUT && !(e->result->predicted <= seconds))
            entrant_out(e, e->result->fate.outcome, "%s", e->result->fate.reason);
    }
}

/* Takes out all but the one with the shortest predicted call. */
static void keep_one(struct cell *c)
{
    struct entrant *best = NULL;

    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (e->state == ENTRANT_WAITS &&
            (best == NULL || !(best->result->predicted <= e->result->predicted)))
            best = e;
    }
    for (size_t i = 0; i < c->count; i++)
        if (c->entrants[i].state == ENTRANT_WAITS && &c->entrants[i] != best)
            entrant_out(&c->entrants[i], OUTCOME_SKIPPED, "memory does not hold the outputs of all variants");
}

void fastest_shortlist(struct cell *c)
{
    struct error error;

    const double first = 0.05, factor = 8.0; /* seconds */
    const double hopeless = 64.0; /* times the shortest; pilots on little work can be wrong by less */
    char label[sizeof c->results[0]->label];
    size_t dims[MAX_AXES];

    (void)snprintf(label, sizeof label, "%s", c->results[0]->label);
    memcpy(dims, c->dims, sizeof dims);
    for (double longest = first;;) {
        predict(c, longest);
        const double least = shortest(c);
        if (any_waits(c) || interrupted() || longest > c->timeout || isinf(least))
            break;
        drop_slower(c, hopeless * least);
        cell_label(c, label, dims); /* the others take part again */
        longest = fmax(longest * factor, 2.0 * least);
    }
    drop_slower(c, 0.0);
    if (!cell_fits(c, true, &error))
        keep_one(c);
}

struct entrant *fastest_entrant(struct cell *c, struct entrant **second)
{
    struct entrant *first = NULL;

    *second = NULL;
    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (e->state != ENTRANT_IN)
            continue;
        if (first == NULL || e->result->last < first->result->last) {
            *second = first;
            first = e;
        } else if (*second == NULL || e->result->last < (*second)->result->last) {
            *second = e;
        }
    }
    return first;
}
