#include "harness/table/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/terminal.h"
#include "harness/model/registry.h"
#include "harness/records/caveats.h"
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

/* In C, memory is mostly the arrays, which are not counted; an interpreter and its libraries have their own. */
static bool has_interpreters(struct result *const rows[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i]->language[0] != '\0')
            return true;
    return false;
}

/* Counts rows with a time; with a flag, if it is not FLAGS. */
static size_t timed(struct result *const rows[], size_t count, int flag)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        found += result_timed(rows[i]) && (flag == FLAGS || (rows[i]->flags & 1u << flag) != 0);
    return found;
}

/* Returns the flags that most rows have.  They tell no row from the others, so one line says them. */
static unsigned common_flags(struct result *const rows[], size_t count)
{
    enum { FEW = 4 }; /* rows, among which a reader sees at once who has a flag */
    const size_t all = timed(rows, count, FLAGS);
    unsigned common = 0;

    for (int i = 0; i < FLAGS; i++)
        if (all >= FEW && flag_letters[i] != '\0' && 2 * timed(rows, count, i) > all)
            common |= 1u << i;
    return common;
}

static void print_common_flags(FILE *out, struct result *const rows[], size_t count)
{
    const unsigned common = common_flags(rows, count);

    for (int i = 0; i < FLAGS; i++)
        if ((common & 1u << i) != 0)
            fprintf(out, "flag %c (%s) on %zu of %zu rows, so the column does not show it\n\n", flag_letters[i],
                    flag_names[i], timed(rows, count, i), timed(rows, count, FLAGS));
}

static void add_rows(struct grid *g, struct result *const rows[], size_t count,
                     const struct ladder *ladder, bool bars)
{
    struct speedup *speedups = calloc(count + 1, sizeof *speedups);
    const double least = bars ? shortest(rows, count) : 0.0;
    const bool memory = has_interpreters(rows, count);
    const unsigned folded = common_flags(rows, count);

    if (speedups == NULL)
        abort();
    const size_t found = speedups_find(rows, count, speedups);
    for (size_t i = 0; i < count; i++)
        columns_add(g, &(struct columns_row){
                           .result = rows[i],
                           .comparisons = ladder != NULL ? &ladder->comparisons[i] : NULL,
                           .speedup = speedup_of(rows[i], speedups, found),
                           .memory = memory,
                           .folded = folded,
                           .shortest = least});
    free(speedups);
}

static bool lacks_gpu(const struct result *r, const char *reason)
{
    return r->fate.outcome == OUTCOME_NO_DEVICE && strcmp(r->device, "gpu") == 0 &&
           (reason == NULL || strcmp(r->fate.reason, reason) == 0);
}

/* Without a GPU, shows people one row in place of those that lack it.  It says where these variants can be
   compared. */
static void fold_absent(struct grid *g, struct result *const rows[], size_t count)
{
    const char *reason = NULL;
    char text[480];
    size_t absent = 0;

    for (size_t i = 0; i < count; i++)
        if (lacks_gpu(rows[i], reason)) {
            reason = rows[i]->fate.reason;
            absent++;
        }
    if (absent < 2)
        return;
    for (size_t i = 0; i < count; i++)
        if (lacks_gpu(rows[i], reason))
            g->rows[i].seen &= ~(unsigned)SEEN_PEOPLE;
    columns_absent(g, absent, OUTCOME_NO_DEVICE);
    snprintf(text, sizeof text, "%s; rungs count %s counts their memory requests in the simulator", reason, rows[0]->problem);
    grid_rest(g, text);
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

/* Prints the view of what the simulator has counted. */
static void print_counts(struct grid *g, enum format format, FILE *out, struct result *const rows[])
{
    columns_counted(g);
    set_caption(g, rows[0]);
    grid_print(g, format, out);
    if (format == FORMAT_TABLE)
        columns_see(&seen, g);
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
    fold_absent(&g, rows, count);
    grid_print(&g, format, out);
    if (format == FORMAT_TABLE)
        see(&g, rows, count);
    if (format != FORMAT_CSV) {
        print_common_flags(out, rows, count);
        columns_resident(&g);
        grid_print(&g, format, out);
        print_counts(&g, format, out, rows);
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
