#include "harness/measure/fastest.h"

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

/* Takes out those that predict() has excluded. */
static void drop_slow(struct cell *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (e->state == ENTRANT_SITS_OUT)
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
    char label[sizeof c->results[0]->label];
    size_t dims[MAX_AXES];

    (void)snprintf(label, sizeof label, "%s", c->results[0]->label);
    memcpy(dims, c->dims, sizeof dims);
    for (double longest = first;; longest *= factor) {
        predict(c, longest);
        if (any_waits(c) || interrupted() || longest > c->timeout)
            break;
        cell_label(c, label, dims); /* all take part again */
    }
    drop_slow(c);
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
