#include "harness/measure/fastest.h"

#include <math.h>

#include "harness/measure/predict.h"

/* Returns the waiting entrant with the longest predicted call, and counts the waiting ones.  NULL: no call has been
   predicted, because the case is little work. */
static struct entrant *slowest(const struct cell *c, size_t *waiting)
{
    struct entrant *last = NULL;

    *waiting = 0;
    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (e->state != ENTRANT_WAITS)
            continue;
        ++*waiting;
        if (isfinite(e->result->predicted) && (last == NULL || e->result->predicted > last->result->predicted))
            last = e;
    }
    return last;
}

void fastest_keep(struct cell *c, size_t most, const char *why)
{
    struct entrant *last;
    size_t waiting;

    while ((last = slowest(c, &waiting)) != NULL && waiting > most)
        entrant_out(last, OUTCOME_SKIPPED, "%s", why);
}

void fastest_shortlist(struct cell *c)
{
    const double times = 2.0; /* the shortest; predictions can be wrong by so much */
    const size_t most = 3;    /* each of them computes the whole answer, which is judged */
    struct error error;

    predict_fastest(c, times);
    for (size_t i = 0; i < c->count; i++) {
        struct entrant *e = &c->entrants[i];
        if (e->state == ENTRANT_SITS_OUT)
            entrant_out(e, e->result->fate.outcome, "%s", e->result->fate.reason);
    }
    fastest_keep(c, most, "three others are predicted to be faster");
    if (!cell_fits(c, true, &error))
        fastest_keep(c, 1, "memory does not hold the outputs of all variants");
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
