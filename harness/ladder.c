#include "harness/ladder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/registry.h"
#include "harness/stats.h"

const char *const role_names[] = {"first", "base", "1-core", "n-core"};

static const double SEVERAL = 1.2; /* cores at work from which on a rung counts as multi-core */

bool ladder_several(int threads, double cores)
{
    return threads > 1 || cores > SEVERAL;
}

struct ladder ladder_start(size_t count)
{
    struct ladder l = {.count = count,
                       .rivals = calloc(count + 1, sizeof *l.rivals),
                       .standings = calloc(count + 1, sizeof *l.standings)};

    if (l.rivals == NULL || l.standings == NULL)
        abort();
    return l;
}

void ladder_free(struct ladder *l)
{
    free(l->rivals);
    free(l->standings);
    *l = (struct ladder){.count = 0};
}

/* --- who is who ------------------------------------------------------------------------------- */

/* A rung that scales is there as "cpu_openmp@1", "cpu_openmp@4": the one that is given as much as who
   asks, else the one that is given the most. */
static const struct rival *named(const struct ladder *l, const char *name, const struct rival *who)
{
    const char *suffix = strchr(who->name, '@');
    const size_t length = strlen(name);
    const struct rival *found = NULL;

    for (size_t i = 0; length > 0 && i < l->count; i++) {
        const char *its = l->rivals[i].name;
        if (strncmp(its, name, length) != 0 || (its[length] != '\0' && its[length] != '@'))
            continue;
        found = &l->rivals[i];
        if (its[length] == '\0' || (suffix != NULL && strcmp(its + length, suffix) == 0))
            break;
    }
    return found;
}

static double e2e_median(const struct rival *r)
{
    return rounds_median(&r->e2e);
}

static const struct rival *fastest_cpu(const struct ladder *l, bool several)
{
    const struct rival *best = NULL;

    for (size_t i = 0; i < l->count; i++) {
        const struct rival *r = &l->rivals[i];
        if (!r->cpu || r->several != several || r->e2e.count == 0)
            continue;
        if (best == NULL || e2e_median(r) < e2e_median(best))
            best = r;
    }
    return best;
}

/* --- against whom ----------------------------------------------------------------------------- */

static struct comparison compare(const struct rounds *base, const struct rounds *other,
                                 bool together, size_t family)
{
    return together ? compare_together(base, other, family) : compare_apart(base, 1, other, 1);
}

static void stand(struct standing *s, const struct rival *r, bool together, size_t family)
{
    static const struct rounds none;

    for (size_t role = 0; role < ROLES; role++) {
        const struct rival *than = s->than[role];
        bool apart = than != NULL && than != r;
        s->e2e[role] = compare(apart ? &than->e2e : &none, &r->e2e, together, family);
        s->resident[role] = compare(apart && !r->cpu ? &than->resident : &none, &r->resident,
                                    together, family);
    }
}

void ladder_compare(struct ladder *l, bool together)
{
    const struct rival *single = fastest_cpu(l, false), *multi = fastest_cpu(l, true);
    size_t timed = 0;

    for (size_t i = 0; i < l->count; i++)
        timed += l->rivals[i].e2e.count > 0;
    for (size_t i = 0; i < l->count; i++) {
        const struct rival *r = &l->rivals[i];
        l->standings[i] = (struct standing){
            .than = {named(l, r->first, r), named(l, r->base, r), single, multi}};
        stand(&l->standings[i], r, together, timed > 1 ? timed - 1 : 1);
    }
}

/* --- from rows -------------------------------------------------------------------------------- */

static struct rival rival_of(const struct row *row)
{
    const struct variant *v = row->variant, *first = v;
    struct rival r = {.cpu = v->device == NULL || v->device == &device_cpu,
                      .several = row_several(row)};

    while (registry_base(first) != NULL)
        first = registry_base(first);
    snprintf(r.name, sizeof r.name, "%s", row_name(row).variant);
    snprintf(r.base, sizeof r.base, "%s", v->base != NULL ? v->base : "");
    snprintf(r.first, sizeof r.first, "%s", variant_name(first).variant);
    if (row_timed(row)) {
        r.e2e = series_rounds(&row->e2e);
        r.resident = series_rounds(r.cpu ? &row->e2e : &row->run);
    }
    return r;
}

struct ladder ladder_of_rows(struct row *const rows[], size_t count)
{
    struct ladder l = ladder_start(count);
    bool together = true;

    for (size_t i = 0; i < count; i++) {
        l.rivals[i] = rival_of(rows[i]);
        together &= !rows[i]->alone;
    }
    ladder_compare(&l, together);
    return l;
}
