/* The table of speed-ups, for variants that were measured with several numbers of threads, devices or ranks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/stats.h"
#include "harness/model/size.h"
#include "harness/records/speedup.h"
#include "harness/table/table.h"

enum { C_VARIANT, C_MACHINE, C_AXIS, C_VALUE, C_SIZE, C_PHASE, C_TIME, C_SPEEDUP, C_INTERVAL, C_EFFICIENCY,
              C_EFFICIENCY_INTERVAL };

static void set_comparison(struct grid *g, const struct speedup *s, const struct comparison *c)
{
    if (!isfinite(c->ratio))
        return;
    grid_set(g, C_SPEEDUP, "%.2f", c->ratio);
    grid_set(g, C_EFFICIENCY, "%.0f%%", 100.0 * speedup_efficiency(s, c->ratio));
    if (!isfinite(c->low))
        return;
    grid_set(g, C_INTERVAL, "%.2f to %.2f", c->low, c->high);
    grid_set(g, C_EFFICIENCY_INTERVAL, "%.0f to %.0f%%", 100.0 * speedup_efficiency(s, c->low),
             100.0 * speedup_efficiency(s, c->high));
}

/* `s` NULL: the smallest number, the baseline of the others. */
static void add_row(struct grid *g, const struct result *row, const struct speedup *s, bool resident, bool several_sizes)
{
    const struct series *time = resident ? &row->time[PHASE_RUN] : &row->time[PHASE_E2E];

    grid_row(g);
    grid_set(g, C_VARIANT, "%s", row->variant);
    if (row->machine != NULL && row->machine[0] != '\0')
        grid_set(g, C_MACHINE, "%s", row->machine);
    grid_set(g, C_AXIS, "%s", scale_axis(&row->scale));
    grid_set(g, C_VALUE, "%d", scale_value(&row->scale));
    if (several_sizes)
        grid_set(g, C_SIZE, "%s/%s", row->problem, row->label);
    grid_set(g, C_PHASE, resident ? "resident" : "end to end");
    grid_duration(g, C_TIME, series_median(time));
    if (s == NULL) {
        grid_set(g, C_SPEEDUP, "1");
        grid_set(g, C_EFFICIENCY, "100%%");
    } else {
        set_comparison(g, s, resident ? &s->resident : &s->e2e);
    }
}

/* Adds for each variant its baseline, then the others. */
static void add_rows(struct grid *g, const struct speedup list[], size_t count, bool resident)
{
    const bool sizes = count > 0 && strcmp(list[0].base->label, list[0].result->label) != 0;

    for (size_t i = 0; i < count; i++) {
        const struct speedup *s = &list[i];
        if (resident && !isfinite(s->resident.ratio))
            continue;
        if (i == 0 || list[i - 1].base != s->base)
            add_row(g, s->base, NULL, resident, sizes);
        add_row(g, s->result, s, resident, sizes);
    }
}

static void print(FILE *out, enum format format, const char *heading, const struct speedup list[], size_t count)
{
    const struct grid_column columns[] = {
        {heading, .left = true}, {"on", .left = true}, {"with", .left = true}, {.heading = ""},
        {"size", .left = true}, {"phase", .left = true}, {.heading = "time"}, {.heading = "speed-up"},
        {.heading = "interval"}, {.heading = "efficiency"}, {.heading = "interval"}};
    struct grid g;

    grid_start(&g);
    grid_columns(&g, columns, sizeof columns / sizeof *columns);
    add_rows(&g, list, count, false);
    add_rows(&g, list, count, true);
    grid_print(&g, format, out);
    grid_free(&g);
}

static struct speedup *room_for(size_t count)
{
    struct speedup *list = calloc(count + 1, sizeof *list);

    if (list == NULL)
        abort();
    return list;
}

void table_scaling(FILE *out, enum format format, struct result *const rows[], size_t count)
{
    struct speedup *list = room_for(count);

    print(out, format, "scaling", list, speedups_find(rows, count, list));
    free(list);
}

void table_weak(FILE *out, enum format format, struct result *const rows[], size_t count)
{
    struct speedup *list = room_for(count);

    print(out, format, "weak scaling", list, speedups_find_weak(rows, count, list));
    free(list);
}
