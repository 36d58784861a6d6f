/* A cell's rungs as bars: times end to end and resident, intervals, and what each step bought. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/ladder_past.h"
#include "harness/plots/drawing.h"
#include "harness/stats.h"
#include "harness/table.h"

/* The first column of ratios: against the ladder's first, or where that has no time, against the
   fastest of all on one core. */
static enum role first_column(const struct ladder *l)
{
    for (size_t i = 0; i < l->count; i++)
        if (isfinite(l->standings[i].e2e[ROLE_FIRST].ratio))
            return ROLE_FIRST;
    return ROLE_SINGLE;
}

/* Where two have no rounds in common, the ratio of their medians, which settles nothing. */
static struct comparison ratio_of(const struct standing *s, enum role role,
                                  const struct rival *self)
{
    const struct rival *than = s->than[role];
    struct comparison c = s->e2e[role];

    if (than == NULL || than->e2e.count == 0 || self->e2e.count == 0 || isfinite(c.ratio))
        return c;
    c.ratio = rounds_median(&than->e2e) / rounds_median(&self->e2e);
    c.finding = UNRESOLVED;
    return c;
}

static void put_ratio(struct drawing *d, const struct standing *s, enum role role,
                      const struct rival *self)
{
    const struct comparison c = ratio_of(s, role, self);
    char text[32] = "";

    table_ratio(&c, text, sizeof text);
    data_text(d, s->than[role] != self ? text : role == ROLE_SINGLE ? "best" : "1");
}

static void put_times(struct drawing *d, const struct times *t)
{
    data_number(d, t->median);
    data_number(d, t->low);
    data_number(d, t->high);
}

static void put_row(struct drawing *d, size_t row, const struct past_cell *c,
                    const struct ladder *l, enum role role)
{
    const struct standing *s = &l->standings[row];
    const struct times e2e = cell_e2e(c), none = {NAN, NAN, NAN};
    const struct times run = cell_shade(c) == SHADE_DEVICE ? cell_resident(c) : none;
    char why[400] = "";

    if (!past_timed(c))
        snprintf(why, sizeof why, "%s%s%s", c->status, c->reason[0] != '\0' ? ": " : "", c->reason);
    data_number(d, (double)row);
    data_text(d, c->variant);
    data_number(d, cell_shade(c));
    put_times(d, &e2e);
    put_times(d, &run);
    data_duration(d, e2e.median);
    data_duration(d, run.median);
    put_ratio(d, s, role, &l->rivals[row]);
    put_ratio(d, s, ROLE_BASE, &l->rivals[row]);
    data_text(d, why);
    data_row(d);
}

/* The shortest and the longest time of all, and whose times these are. */
static void put_range(struct drawing *d, const struct past_cell cells[], size_t count)
{
    double least = INFINITY, most = 0.0, shades[] = {0.0, 0.0, 0.0};
    const char *device = "";

    for (size_t i = 0; i < count; i++) {
        const struct times e2e = cell_e2e(&cells[i]), run = cell_resident(&cells[i]);
        least = fmin(least, fmin(fmin(e2e.median, run.median), fmin(e2e.low, run.low)));
        most = fmax(most, fmax(fmax(e2e.median, run.median), fmax(e2e.high, run.high)));
        if (!past_timed(&cells[i]))
            continue;
        shades[cell_shade(&cells[i])] = 1.0;
        if (cell_shade(&cells[i]) == SHADE_DEVICE)
            device = cells[i].device;
    }
    drawing_number(d, "least", least);
    drawing_number(d, "most", most);
    drawing_number(d, "devices", device[0] != '\0');
    drawing_device(d, device);
    drawing_numbers(d, "shown", shades, 3);
}

static bool draw_table(struct plots *plots, const struct source *all, const struct past *p,
                       const struct past_cell cells[], size_t count, struct error *error)
{
    struct drawing d;

    (void)all;
    if (!drawing_start(&d, plots, PLOT_LADDER, &(struct subject){p, cells, false, NULL}, error))
        return false;
    struct ladder l = ladder_of_cells(cells, count);
    const enum role role = first_column(&l);
    char heading[32];

    snprintf(heading, sizeof heading, "x %s", role_names[role]);
    drawing_text(&d, "ratio", heading);
    drawing_number(&d, "rows", (double)count);
    drawing_height(&d, count);
    put_range(&d, cells, count);
    data_comment(&d, "row, rung, shade (0: CPU, one core; 1: CPU, several; 2: device), end to end "
                     "in s, low, high, run alone in s, low, high, both in words, times faster than "
                     "the first, than its base, why it has no time");
    for (size_t i = 0; i < count; i++)
        put_row(&d, i, &cells[i], &l, role);
    ladder_free(&l);
    return drawing_end(&d);
}

bool plot_ladder(struct plots *plots, const struct source *all, struct error *error)
{
    return each_table(plots, all, false, draw_table, error);
}
