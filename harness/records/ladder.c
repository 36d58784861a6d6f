#include "harness/records/ladder.h"

#include <stdlib.h>
#include <string.h>

const char *const role_names[] = {"first", "base", "1-core", "n-core"};

struct ladder ladder_start(size_t count)
{
    struct ladder l = {.count = count, .comparisons = calloc(count + 1, sizeof *l.comparisons)};

    if (l.comparisons == NULL)
        abort();
    return l;
}

void ladder_free(struct ladder *l)
{
    free(l->comparisons);
    *l = (struct ladder){.count = 0};
}

/* The table whose ladder is being made. */
struct table {
    struct result *const *results;
    size_t count;
    size_t *base; /* for each result the index of its base; `count`: it is not in the table */
};

/* --- the first variant ------------------------------------------------------------------------ */

static void find_bases(struct table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        const char *base = t->results[i]->base;
        t->base[i] = t->count;
        for (size_t j = 0; j < t->count && base[0] != '\0' && t->base[i] == t->count; j++)
            if (strcmp(t->results[j]->variant, base) == 0)
                t->base[i] = j;
    }
}

/* Returns the only variant without a base; "": there are several, or none. */
static const char *only_first(const struct table *t)
{
    const char *first = "";

    for (size_t i = 0; i < t->count; i++) {
        if (t->results[i]->base[0] != '\0')
            continue;
        if (first[0] != '\0' && strcmp(first, t->results[i]->variant) != 0)
            return "";
        first = t->results[i]->variant;
    }
    return first;
}

/* Finds the first of a result's ladder by following the bases, for at most `count` steps, because a file may
   contain a circle.  If a base is missing, the only variant without a base must be the first. */
static const char *first_of(const struct table *t, size_t at, const char *otherwise)
{
    for (size_t step = 0; step < t->count && at < t->count; step++) {
        if (t->results[at]->base[0] == '\0')
            return t->results[at]->variant;
        at = t->base[at];
    }
    return otherwise;
}

/* --- baselines -------------------------------------------------------------------------------- */

/* Finds a variant by name.  If it was measured with several numbers of threads, it takes the result with the
   same number as `other`, else the last, which has the most. */
static const struct result *named(const struct table *t, const char *variant,
                                  const struct result *other)
{
    const struct result *found = NULL;

    for (size_t i = 0; variant[0] != '\0' && i < t->count; i++) {
        const struct result *r = t->results[i];
        if (strcmp(r->variant, variant) != 0)
            continue;
        found = r;
        const int its = scale_value(&r->scale);
        if (its == 0 || its == scale_value(&other->scale))
            break;
    }
    return found;
}

static const struct result *fastest_cpu(const struct table *t, bool several)
{
    const struct result *best = NULL;
    double least = 0.0;

    for (size_t i = 0; i < t->count; i++) {
        const struct result *r = t->results[i];
        if (!result_on_cpu(r) || result_several(r) != several || !result_timed(r))
            continue;
        const double time = series_median(&r->time[PHASE_E2E]);
        if (best == NULL || time < least) {
            best = r;
            least = time;
        }
    }
    return best;
}

static void stand(struct comparisons *s, const struct result *r, bool together, size_t family)
{
    static const struct series none;
    const bool timed = result_timed(r), cpu = result_on_cpu(r);
    const struct series *e2e = timed ? &r->time[PHASE_E2E] : &none;
    const struct series *resident = timed ? result_resident(r) : &none;

    for (size_t role = 0; role < ROLES; role++) {
        const struct result *than = s->baseline[role];
        const bool apart = than != NULL && than != r && result_timed(than);
        s->e2e[role] =
            compare_either(apart ? &than->time[PHASE_E2E] : &none, e2e, together, family);
        s->resident[role] = compare_either(apart && !cpu ? result_resident(than) : &none, resident,
                                           together, family);
    }
}

struct ladder ladder_make(struct result *const results[], size_t count)
{
    struct ladder l = ladder_start(count);
    struct table t = {results, count, calloc(count + 1, sizeof *t.base)};
    size_t timed = 0;
    bool together = true;

    if (t.base == NULL)
        abort();
    find_bases(&t);
    const char *only = only_first(&t);
    const struct result *single = fastest_cpu(&t, false), *multi = fastest_cpu(&t, true);
    for (size_t i = 0; i < count; i++) {
        timed += result_timed(results[i]);
        together &= !results[i]->alone;
    }
    for (size_t i = 0; i < count; i++) {
        const struct result *r = results[i];
        l.comparisons[i] = (struct comparisons){
            .baseline = {named(&t, first_of(&t, i, only), r), named(&t, r->base, r), single, multi}};
        stand(&l.comparisons[i], r, together, timed > 1 ? timed - 1 : 1);
    }
    free(t.base);
    return l;
}
