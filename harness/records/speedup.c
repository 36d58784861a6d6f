#include "harness/records/speedup.h"

#include <stdlib.h>
#include <string.h>

#include "harness/model/size.h"

static int value_of(const struct result *r)
{
    return scale_value(&r->scale);
}

static bool same_curve(const struct result *a, const struct result *b)
{
    return strcmp(a->machine != NULL ? a->machine : "", b->machine != NULL ? b->machine : "") == 0 &&
           (a->scale.threads > 0) == (b->scale.threads > 0) &&
           (a->scale.devices > 0) == (b->scale.devices > 0) &&
           (a->scale.ranks > 0) == (b->scale.ranks > 0) &&
           (a->scale.processes > 0) == (b->scale.processes > 0) &&
           strcmp(a->variant, b->variant) == 0 && strcmp(a->problem, b->problem) == 0;
}

double speedup_work(const struct speedup *s)
{
    return s->result->scale.processes > 0 ? (double)s->value / s->from : 1.0;
}

static void times_work(struct comparison *c, double work)
{
    c->ratio *= work;
    c->low *= work;
    c->high *= work;
}

/* Compares with the smallest number of the same variant; the intervals hold for all its numbers at once. */
static bool find(struct result *const results[], size_t count, const struct result *r,
                 struct speedup *s)
{
    const bool alone = r->alone;
    size_t family = 0;

    *s = (struct speedup){.result = r, .value = value_of(r)};
    for (size_t i = 0; i < count; i++) {
        if (!result_timed(results[i]) || !same_curve(results[i], r))
            continue;
        family++;
        if (s->base == NULL || value_of(results[i]) < value_of(s->base))
            s->base = results[i];
    }
    if (s->base == NULL || s->base == r || family < 2)
        return false;
    s->from = value_of(s->base);
    const bool together = !alone && !s->base->alone;
    s->e2e = compare_either(&s->base->time[PHASE_E2E], &r->time[PHASE_E2E], together, family - 1);
    s->resident =
        compare_either(&s->base->time[PHASE_RUN], &r->time[PHASE_RUN], together, family - 1);
    times_work(&s->e2e, speedup_work(s));
    times_work(&s->resident, speedup_work(s));
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

/* --- weak scaling -------------------------------------------------------------------------------- */

bool speedup_is_weak(const struct result *r)
{
    const char *times = strchr(r->label, '*');

    return result_timed(r) && value_of(r) > 0 && value_of(r) == (times != NULL ? atoi(times + 1) : 1);
}

bool speedup_same_stem(const struct result *a, const struct result *b)
{
    const size_t length = strcspn(a->label, "*");

    return length == strcspn(b->label, "*") && strncmp(a->label, b->label, length) == 0;
}

static bool find_weak(struct result *const results[], size_t count, const struct result *r, struct speedup *s)
{
    size_t family = 0;

    *s = (struct speedup){.result = r, .value = value_of(r)};
    for (size_t i = 0; i < count; i++) {
        if (!speedup_is_weak(results[i]) || !same_curve(results[i], r) || !speedup_same_stem(results[i], r))
            continue;
        family++;
        if (s->base == NULL || value_of(results[i]) < value_of(s->base))
            s->base = results[i];
    }
    if (s->base == NULL || s->base == r || family < 2)
        return false;
    s->from = value_of(s->base);
    struct comparison *const both[] = {&s->e2e, &s->resident};
    const enum phase phases[] = {PHASE_E2E, PHASE_RUN};
    for (size_t i = 0; i < 2; i++) { /* in tables of their own, so apart */
        *both[i] = compare_either(&s->base->time[phases[i]], &r->time[phases[i]], false, family - 1);
        times_work(both[i], (double)s->value / s->from);
    }
    return true;
}

size_t speedups_find_weak(struct result *const results[], size_t count, struct speedup list[])
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        found += strchr(results[i]->label, '*') != NULL && speedup_is_weak(results[i]) &&
                 find_weak(results, count, results[i], &list[found]);
    return found;
}

double speedup_efficiency(const struct speedup *s, double ratio)
{
    return ratio * s->from / s->value;
}
