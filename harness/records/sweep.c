#include "harness/records/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/model/registry.h"
#include "harness/records/comparison.h"

const char *const view_names[VIEWS] = {"e2e", "resident"};

/* --- results ---------------------------------------------------------------------------------- */

static bool any_matches(const char *const patterns[], size_t count, const struct card *v)
{
    for (size_t i = 0; i < count; i++)
        if (registry_match(patterns[i], v))
            return true;
    return false;
}

void sweep_enlist(struct sweep *s, const struct sides *sides, const struct card *const variants[],
                  size_t count)
{
    s->variants = variants;
    s->variant_count = count;
    s->rows = calloc(s->size_count * count + 1, sizeof(struct result *));
    s->contender = calloc(count + 1, sizeof *s->contender);
    s->in_baseline = calloc(count + 1, sizeof *s->in_baseline);
    if (s->rows == NULL || s->contender == NULL || s->in_baseline == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        const bool on_cpu = card_on_cpu(variants[i]);
        const bool contender = any_matches(sides->contenders, sides->contender_count, variants[i]);
        const bool baseline = any_matches(sides->baseline, sides->baseline_count, variants[i]);
        s->in_baseline[i] = sides->baseline_count > 0 ? baseline : on_cpu && !contender;
        s->contender[i] = sides->contender_count > 0  ? contender
                          : sides->baseline_count > 0 ? !baseline
                                                      : !on_cpu;
    }
}

void sweep_free(struct sweep *s)
{
    for (size_t i = 0; i < s->size_count * s->variant_count; i++)
        result_free(s->rows[i]);
    free(s->rows);
    free(s->contender);
    free(s->in_baseline);
}

struct result *sweep_row(const struct sweep *s, size_t size, size_t variant)
{
    return s->rows[size * s->variant_count + variant];
}

void sweep_keep(struct sweep *s, size_t size, size_t variant, const struct result *r)
{
    struct result **place = &s->rows[size * s->variant_count + variant];

    if (*place == NULL)
        *place = result_new();
    result_copy(*place, r);
}

bool sweep_is_whole(const struct sweep *s)
{
    for (size_t i = 0; i < s->size_count * s->variant_count; i++)
        if (s->rows[i] == NULL)
            return false;
    return true;
}

/* --- sizes ------------------------------------------------------------------------------------ */

double sweep_items(const struct sweep *s, size_t size)
{
    return s->problem->cost(s->sizes[size].dims).items;
}

void sweep_axes(const struct sweep *s, char *text, size_t bytes)
{
    text[0] = '\0';
    for (size_t a = 0; a < MAX_AXES; a++)
        if (s->grows[a])
            text_add(text, bytes, "%s%s", text[0] != '\0' ? "=" : "", s->problem->axes[a]);
}

void sweep_others(const struct sweep *s, char *text, size_t bytes)
{
    text[0] = '\0';
    for (size_t a = 0; a < size_axes(s->problem, false); a++)
        if (!s->grows[a])
            size_describe_axis(s->problem, a, s->sizes[0].dims[a], text, bytes);
}

size_t sweep_length(const struct sweep *s, size_t size)
{
    size_t a = 0;

    while (a + 1 < MAX_AXES && !s->grows[a])
        a++;
    return s->sizes[size].dims[a];
}

double sweep_length_at(const struct sweep *s, double items)
{
    size_t above = 1;

    if (s->size_count < 2)
        return (double)sweep_length(s, 0);
    while (above + 1 < s->size_count && sweep_items(s, above) < items)
        above++;
    double from = (double)sweep_length(s, above - 1), to = (double)sweep_length(s, above);
    double low = sweep_items(s, above - 1), high = sweep_items(s, above);
    return from * pow(to / from, log(items / low) / log(high / low));
}

/* --- comparisons ------------------------------------------------------------------------------ */

const struct series *sweep_series(const struct result *r, enum view view)
{
    if (r == NULL || !result_timed(r))
        return NULL;
    const struct series *s = view == VIEW_E2E ? &r->time[PHASE_E2E] : result_resident(r);
    return s->rounds > 0 ? s : NULL;
}

const struct result *sweep_best(const struct sweep *s, size_t size, size_t contender, enum view view)
{
    const struct result *best = NULL;
    double least = INFINITY;

    for (size_t i = 0; i < s->variant_count; i++) {
        const struct result *r = sweep_row(s, size, i);
        const struct series *series = sweep_series(r, view);
        if (i == contender || !s->in_baseline[i] || series == NULL)
            continue;
        double time = series_median(series);
        if (time < least) {
            least = time;
            best = r;
        }
    }
    return best;
}

/* With too few rounds for an interval: the range of the ratios of all pairs. */
static void widest(const struct summary *mine, const struct summary *other, struct point *p)
{
    p->few = true;
    p->low = other->min / mine->max;
    p->high = other->max / mine->min;
}

/* Computes how many times faster one is than the other.  In 95 % of sweeps, all of `family` such intervals hold
   at once; with too few rounds for that, the confidence is as high as they allow. */
static bool times_faster(const struct series *mine, const struct series *other, bool alone,
                         size_t family, struct point *p)
{
    struct comparison c;

    do {
        c = compare_either(other, mine, !alone, family);
        family /= 2;
    } while (isnan(c.low) && family > 0);
    if (isnan(c.ratio))
        return false;
    *p = (struct point){.ratio = c.ratio, .low = c.low, .high = c.high};
    if (isnan(c.low)) {
        const struct summary my = series_summary(mine);
        const struct summary its_best = series_summary(other);
        widest(&my, &its_best, p);
    }
    return true;
}

bool sweep_curve(const struct sweep *s, size_t contender, enum view view, struct curve *c)
{
    bool any = false;

    *c = (struct curve){.count = 0};
    for (size_t size = 0; size < s->size_count; size++) {
        const struct result *mine = sweep_row(s, size, contender);
        const struct result *best = sweep_best(s, size, contender, view);
        const struct series *series = sweep_series(mine, view);
        any |= series != NULL;
        if (series == NULL || best == NULL ||
            !times_faster(series, sweep_series(best, view), mine->alone, s->size_count,
                          &c->points[c->count]))
            continue;
        c->points[c->count].at = sweep_items(s, size);
        c->mine[c->count] = mine;
        c->best[c->count] = best;
        c->size[c->count++] = size;
    }
    c->crossover = crossover_find(c->points, c->count);
    return any && (view == VIEW_E2E || !card_on_cpu(s->variants[contender]));
}

const char *sweep_baseline(const struct curve *c)
{
    size_t i = 0;
    double at = c->crossover.last;

    if (c->count == 0)
        return "";
    if (c->crossover.pays == PAYS_FROM || c->crossover.pays == PAYS_PARTLY)
        at = c->crossover.stretches[0].begin.high;
    while (i + 1 < c->count && c->points[i].at < at)
        i++;
    return c->best[i]->variant;
}

static double or_none(double seconds)
{
    return isnan(seconds) ? 0.0 : seconds;
}

double sweep_break_even(const struct curve *c, size_t point)
{
    const struct result *mine = c->mine[point], *best = c->best[point];
    double once = or_none(mine->setup) + or_none(mine->context) - or_none(best->setup) -
                  or_none(best->context);
    double saves = series_median(&best->time[PHASE_E2E]) -
                   series_median(&mine->time[PHASE_E2E]);

    if (!(saves > 0.0))
        return NAN;
    return once > 0.0 ? ceil(once / saves) : 0.0;
}
