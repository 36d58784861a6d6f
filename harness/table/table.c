#include "harness/table/table.h"

#include <math.h>
#include <stdlib.h>

#include "harness/base/terminal.h"
#include "harness/model/registry.h"
#include "harness/records/derived.h"
#include "harness/records/speedup.h"
#include "harness/records/measurement.h"
#include "harness/table/columns.h"
#include "harness/table/legend.h"

/* --- JSON ------------------------------------------------------------------------------------- */

static void print_records(FILE *out, struct result *const rows[], size_t count,
                          const struct ladder *ladder)
{
    json_t *derived = derived_table(ladder, rows, count), *one;
    size_t at;

    for (size_t i = 0; i < count; i++)
        grid_data_record(measurement_write(rows[i]), out);
    json_array_foreach(derived, at, one) {
        grid_data_record(json_incref(one), out);
    }
    json_decref(derived);
}

/* --- a table of results ----------------------------------------------------------------------- */

static const struct speedup *speedup_of(const struct result *row, const struct speedup list[],
                                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].result == row)
            return &list[i];
    return NULL;
}

static double shortest(struct result *const rows[], size_t count)
{
    double least = INFINITY;

    for (size_t i = 0; i < count; i++)
        if (result_timed(rows[i]))
            least = fmin(least, series_median(&rows[i]->time[PHASE_E2E]));
    return least;
}

static void add_rows(struct grid *g, struct result *const rows[], size_t count,
                     const struct ladder *ladder, bool bars)
{
    struct speedup *speedups = calloc(count + 1, sizeof *speedups);
    const double least = bars ? shortest(rows, count) : 0.0;

    if (speedups == NULL)
        abort();
    const size_t found = speedups_find(rows, count, speedups);
    for (size_t i = 0; i < count; i++)
        columns_add(g, &(struct columns_row){
                           .result = rows[i],
                           .comparisons = ladder != NULL ? &ladder->comparisons[i] : NULL,
                           .speedup = speedup_of(rows[i], speedups, found),
                           .shortest = least});
    free(speedups);
}

static void set_caption(struct grid *g, const struct result *row)
{
    char size[128];
    const struct problem *problem = result_problem(row);

    result_size(row, size, sizeof size);
    grid_caption(g, "%s   %s   %s: %s", row->problem, problem != NULL ? problem->formula : "",
                 row->label, size);
}

static struct columns_seen seen; /* in the tables that this process has printed as text */

static void see(const struct grid *g, struct result *const rows[], size_t count)
{
    columns_see(&seen, g);
    for (size_t i = 0; i < count; i++)
        seen.flags |= rows[i]->flags;
}

void table_legend(FILE *out)
{
    legend_print(out, &seen);
}

void table_bench(FILE *out, enum format format, struct result *const rows[], size_t count,
                 const struct ladder *ladder, bool first)
{
    const char *unit;

    if (count == 0)
        return;
    if (format == FORMAT_JSON) {
        print_records(out, rows, count, ladder);
        fflush(out);
        return;
    }
    result_rate_work(rows[0], &unit);
    struct grid g = columns_start(unit);
    g.continued = !first;
    set_caption(&g, rows[0]);
    add_rows(&g, rows, count, ladder, format == FORMAT_TABLE && terminal_width(out) > 0);
    grid_print(&g, format, out);
    if (format == FORMAT_TABLE)
        see(&g, rows, count);
    if (format != FORMAT_CSV) {
        columns_resident(&g);
        grid_print(&g, format, out);
        table_scaling(out, format, rows, count);
    }
    grid_free(&g);
    fflush(out);
}

/* --- judged and not timed --------------------------------------------------------------------- */

enum { C_VARIANT, C_CHECK, C_ERROR, C_EXACT, C_SIZES, C_REFUSED };

static void add_checked(struct grid *g, const struct result *row)
{
    grid_row(g)->tone = columns_tone(row->fate.outcome);
    grid_set(g, C_VARIANT, "%s/%s", row->problem, result_name(row).text);
    grid_set(g, C_CHECK, "%s", outcome_names[row->fate.outcome]);
    if (row->fate.outcome != OUTCOME_OK)
        grid_rest(g, row->fate.reason);
    grid_set(g, C_ERROR, "%.2f", row->verdict.error);
    if (isfinite(row->exact))
        grid_set(g, C_EXACT, row->exact < 1.0 ? "%.3f%%" : "100%%", 100.0 * row->exact);
    grid_count(g, C_SIZES, row->sizes_ok);
    if (row->sizes_refused > 0)
        grid_count(g, C_REFUSED, row->sizes_refused);
}

void table_check(FILE *out, enum format format, struct result *const rows[], size_t count,
                 bool first)
{
    static const struct grid_column columns[] = {
        {"variant", .left = true}, {"check", .left = true}, {.heading = "error"},
        {.heading = "exact"}, {.heading = "sizes"}, {.heading = "refused"}};
    struct grid g;

    if (format == FORMAT_CSV || format == FORMAT_JSON) {
        table_bench(out, format, rows, count, NULL, first);
        return;
    }
    grid_start(&g);
    grid_columns(&g, columns, sizeof columns / sizeof *columns);
    g.rest_from = C_ERROR;
    for (size_t i = 0; i < count; i++)
        add_checked(&g, rows[i]);
    grid_print(&g, format, out);
    grid_free(&g);
    fflush(out);
}
