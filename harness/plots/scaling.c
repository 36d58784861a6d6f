/* How many times faster a cell's rungs are on so many threads, or devices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare.h"
#include "harness/plots/drawing.h"

/* One table, along one axis. */
struct staircase {
    const struct past_cell *cells;
    size_t count;
    const char *axis; /* "threads", "devices" */
    double smallest, largest;
    double low, high; /* of the speed-ups and the ideal */
};

static bool on_axis(const struct staircase *s, const struct past_cell *c)
{
    return strcmp(c->scale.name, s->axis) == 0 && c->scale.value > 0 && past_timed(c);
}

/* The same rung on the fewest. */
static const struct past_cell *least(const struct staircase *s, const char *variant)
{
    const struct past_cell *least = NULL;

    for (size_t i = 0; i < s->count; i++) {
        const struct past_cell *c = &s->cells[i];
        if (on_axis(s, c) && strcmp(c->variant, variant) == 0 &&
            (least == NULL || c->scale.value < least->scale.value))
            least = c;
    }
    return least;
}

static bool has_several(const struct staircase *s, const char *variant)
{
    const struct past_cell *from = least(s, variant);

    for (size_t i = 0; i < s->count && from != NULL; i++)
        if (on_axis(s, &s->cells[i]) && strcmp(s->cells[i].variant, variant) == 0 &&
            s->cells[i].scale.value > from->scale.value)
            return true;
    return false;
}

/* Taken side by side, round by round; else by the medians, without an interval. */
static struct comparison speedup(const struct past_cell *from, const struct past_cell *c)
{
    const struct rounds base = past_rounds(&from->e2e), other = past_rounds(&c->e2e);
    struct comparison s = compare_together(&base, &other, 1);

    if (!isfinite(s.ratio))
        s.ratio = cell_e2e(from).median / cell_e2e(c).median;
    if (!isfinite(s.low) || !isfinite(s.high))
        s.low = s.high = s.ratio;
    return s;
}

static void put_step(struct drawing *d, struct staircase *s, const struct past_cell *from,
                     const struct past_cell *c)
{
    const struct comparison one = speedup(from, c);
    const double share = 100.0 * (double)from->scale.value / (double)c->scale.value;

    data_number(d, (double)c->scale.value);
    data_number(d, one.ratio);
    data_number(d, one.low);
    data_number(d, one.high);
    data_number(d, one.ratio * share);
    data_number(d, one.low * share);
    data_number(d, one.high * share);
    data_row(d);
    s->low = fmin(s->low, one.low);
    s->high = fmax(s->high, one.high);
}

static int fewest_first(const void *a, const void *b)
{
    const struct past_cell *const *x = a, *const *y = b;

    return ((*x)->scale.value > (*y)->scale.value) - ((*x)->scale.value < (*y)->scale.value);
}

static void put_curve(struct drawing *d, struct staircase *s, const char *variant)
{
    const struct past_cell **steps = calloc(s->count, sizeof *steps);
    size_t count = 0;

    if (steps == NULL)
        abort();
    for (size_t i = 0; i < s->count; i++)
        if (on_axis(s, &s->cells[i]) && strcmp(s->cells[i].variant, variant) == 0)
            steps[count++] = &s->cells[i];
    qsort(steps, count, sizeof *steps, fewest_first);
    data_comment(d, variant);
    for (size_t i = 0; i < count; i++)
        put_step(d, s, steps[0], steps[i]);
    data_block(d);
    free(steps);
}

/* Of a rung's cells the one with which it is counted: its first of several. */
static bool counts(const struct staircase *s, size_t at)
{
    const struct past_cell *c = &s->cells[at];

    for (size_t i = 0; i < at; i++)
        if (on_axis(s, &s->cells[i]) && strcmp(s->cells[i].variant, c->variant) == 0)
            return false;
    return on_axis(s, c) && has_several(s, c->variant);
}

static bool draw(struct plots *plots, const struct past *p, struct staircase *s,
                 struct error *error)
{
    const char *names[MOST_RUNGS];
    double kinds[MOST_RUNGS];
    size_t rungs = 0;
    const struct subject of = {p, s->cells, false, s->axis};
    struct drawing d;

    if (!drawing_start(&d, plots, PLOT_SCALING, &of, error))
        return false;
    data_comment(&d, "a block for each rung: how many, times faster than with the fewest, low, "
                     "high, efficiency in percent, low, high");
    for (size_t i = 0; i < s->count && rungs < MOST_RUNGS; i++) {
        if (!counts(s, i))
            continue;
        names[rungs] = s->cells[i].variant;
        kinds[rungs++] = cell_shade(&s->cells[i]);
        put_curve(&d, s, s->cells[i].variant);
    }
    drawing_text(&d, "axis", s->axis);
    drawing_number(&d, "smallest", s->smallest);
    drawing_number(&d, "largest", s->largest);
    drawing_number(&d, "fastest_low", s->low / 1.3);
    drawing_number(&d, "fastest_high", fmax(s->high, s->largest / s->smallest) * 1.3);
    drawing_texts(&d, "rungs", names, rungs);
    drawing_height(&d, rungs);
    drawing_numbers(&d, "kind", kinds, rungs);
    return drawing_end(&d);
}

static bool draw_table(struct plots *plots, const struct source *all, const struct past *p,
                       const struct past_cell cells[], size_t count, struct error *error)
{
    static const char *const axes[] = {"threads", "devices"};

    (void)all;
    for (size_t a = 0; a < 2; a++) {
        struct staircase s = {.cells = cells, .count = count, .axis = axes[a],
                              .smallest = INFINITY, .low = 1.0, .high = 1.0};
        bool any = false;
        for (size_t i = 0; i < count; i++) {
            if (!on_axis(&s, &cells[i]))
                continue;
            any |= counts(&s, i);
            s.smallest = fmin(s.smallest, (double)cells[i].scale.value);
            s.largest = fmax(s.largest, (double)cells[i].scale.value);
        }
        if (any && !draw(plots, p, &s, error))
            return false;
    }
    return true;
}

bool plot_scaling(struct plots *plots, const struct source *all, struct error *error)
{
    return each_table(plots, all, true, draw_table, error);
}
