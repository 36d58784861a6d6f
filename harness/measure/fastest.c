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

void fastest_shortlist(struct cell *c)
{
    const double first = 0.05, factor = 8.0; /* seconds */
    char label[sizeof c->results[0]->label];
    size_t dims[MAX_AXES];

    (void)snprintf(label, sizeof label, "%s", c->results[0]->label);
    memcpy(dims, c->dims, sizeof dims);
    for (double longest = first;; longest *= factor) {
        predict(c, longest);
        if (any_waits(c) || interrupted() || longest > c->timeout)
            return;
        cell_label(c, label, dims); /* all take part again */
    }
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
