#include "harness/records/speedup.h"

#include <string.h>

#include "harness/model/size.h"

static int value_of(const struct result *r)
{
    return scale_value(&r->scale);
}

static bool same_curve(const struct result *a, const struct result *b)
{
    return (a->machine != NULL ? a->machine : "") == (b->machine != NULL ? b->machine : "") &&
           (a->scale.threads > 0) == (b->scale.threads > 0) &&
           (a->scale.devices > 0) == (b->scale.devices > 0) &&
           (a->scale.ranks > 0) == (b->scale.ranks > 0) &&
           strcmp(a->variant, b->variant) == 0 && strcmp(a->problem, b->problem) == 0;
}

/* Compares with the smallest number of the same variant; the intervals hold for all its numbers at once. */
static bool find(struct result *const results[], size_t count, const struct result *r,
                 struct speedup *s)
{
    size_t family = 0;

    *s = (struct speedup){.result = r, .value = value_of(r)};
    for (size_t i = 0; i < count; i++) {
        if (!result_timed(results[i]) || !same_curve(results[i], r))
            continue;
        family++;
        if (s->base == NULL || value_of(results[i]) < value_of(s->base))
            s->base = results[i];
    }
    if (s->base == r || family < 2)
        return false;
    s->from = value_of(s->base);
    const bool together = !r->alone && !s->base->alone;
    s->e2e = compare_either(&s->base->time[PHASE_E2E], &r->time[PHASE_E2E], together, family - 1);
    s->resident =
        compare_either(&s->base->time[PHASE_RUN], &r->time[PHASE_RUN], together, family - 1);
    return true;
}

size_t speedups_find(struct result *const results[], size_t count, struct speedup list[])
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        if (scale_axis(&results[i]->scale) != NULL && result_timed(results[i]) &&
            find(results, count, results[i], &list[found]))
            found++;
    return found;
}

double speedup_efficiency(const struct speedup *s, double ratio)
{
    return ratio * s->from / s->value;
}
