#include "harness/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/describe.h"
#include "harness/flags.h"
#include "harness/grid.h"
#include "harness/terminal.h"

enum column {
    C_RUNG, C_MACHINE, C_CHECK, C_ERROR, C_EXACT, C_MATH, C_UP, C_RUN, C_RUN_LIMIT, C_COLD, C_DOWN,
    C_TIME, C_WIDTH, C_BAR, C_LIMIT, C_RATE, C_NAIVE, C_BASE, C_SINGLE, C_MULTI, C_CORES, C_FLAGS
};

static void set_time(struct grid *g, size_t column, double seconds)
{
    char text[32];

    if (isfinite(seconds)) {
        describe_duration(seconds, text, sizeof text);
        grid_set(g, column, "%s", text);
    }
}

static void set_limit(struct grid *g, size_t column, const struct limit *limit,
                      const struct series *time)
{
    char text[GRID_TEXT];

    table_limit(limit->name, limit_share(limit, time), text, sizeof text);
    if (text[0] != '\0')
        grid_set(g, column, "%s", text);
}

/* Four columns, one a role. */
static void set_ratios(struct grid *g, size_t column, const struct rival *r,
                       const struct standing *s, bool resident)
{
    char text[32];

    for (size_t role = 0; role < ROLES; role++) {
        table_ratio(resident ? &s->resident[role] : &s->e2e[role], text, sizeof text);
        if (text[0] != '\0')
            grid_set(g, column + role, "%s", text);
        else if (role >= ROLE_SINGLE && s->than[role] == r)
            grid_set(g, column + role, "%s", "best ");
    }
}

static void set_flags(struct grid *g, unsigned flags)
{
    char letters[FLAGS + 1];
    size_t count = 0;

    for (int i = 0; i < FLAGS; i++)
        if (flags & 1u << i && flag_letters[i] != '\0')
            letters[count++] = flag_letters[i];
    letters[count] = '\0';
    if (count > 0)
        grid_set(g, C_FLAGS, "%s", letters);
}

static void set_timing(struct grid *g, const struct row *row)
{
    const struct summary e2e = series_summary(&row->e2e);
    const char *unit;
    char rate[32];
    double work = row_work(row, &unit);

    if (row->upload.rounds > 0)
        set_time(g, C_UP, median_of(row->upload.round, row->upload.rounds));
    if (row->run.rounds > 0)
        set_time(g, C_RUN, median_of(row->run.round, row->run.rounds));
    set_limit(g, C_RUN_LIMIT, &row->limit_run, &row->run);
    if (row->cold.rounds > 0)
        set_time(g, C_COLD, median_of(row->cold.round, row->cold.rounds));
    if (row->download.rounds > 0)
        set_time(g, C_DOWN, median_of(row->download.round, row->download.rounds));
    set_time(g, C_TIME, e2e.median);
    if (isfinite(e2e.low))
        grid_set(g, C_WIDTH, "%.1f%%", 50.0 * (e2e.high - e2e.low) / e2e.median);
    describe_number(work / e2e.median / 1e9, rate, sizeof rate);
    grid_set(g, C_RATE, "%s", rate);
    set_limit(g, C_LIMIT, &row->limit_e2e, &row->e2e);
    grid_set(g, C_CORES, "%.1f", row->cores);
    set_flags(g, row_flags(row));
}

static enum tone tone_of(const struct fate *fate)
{
    return outcome_failed(fate->outcome) ? TONE_BAD
           : fate->outcome == OUTCOME_OK ? TONE_PLAIN
                                         : TONE_FAINT;
}

static void set_verdict(struct grid *g, const struct row *row)
{
    const struct verdict *v = &row->verdict;

    grid_set(g, C_RUNG, "%s", row_name(row).variant);
    if (row->machine != NULL && row->machine[0] != '\0')
        grid_set(g, C_MACHINE, "%s", row->machine);
    grid_set(g, C_CHECK, "%s", outcome_names[row->fate.outcome]);
    if (v->seen > 0 && isfinite(v->error))
        grid_set(g, C_ERROR, "%.2f", v->error);
    if (v->asked > 0)
        grid_set(g, C_EXACT, v->same == v->asked ? "100%%" : "%.3f%%", 100.0 * verdict_exact(v));
    if (row->variant->math != MATH_F32)
        grid_set(g, C_MATH, "%s", math_names[row->variant->math]);
    if (row->fate.outcome != OUTCOME_OK)
        g->rest[g->rows - 1] = row->fate.reason;
    g->tone[g->rows - 1] = tone_of(&row->fate);
}

static void start_bench_grid(struct grid *g, const char *unit)
{
    static const char *const headings[] = {
        "rung", "on", "check", "error", "exact", "math", "upload", "run", "of limit", "cold", "download",
        "time", "+-", "speed", "of limit", "", "x first", "x base", "x 1-core", "x n-core", "cores",
        "flags"};

    grid_start(g);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        grid_column(g, i == C_RATE ? unit : headings[i],
                    i == C_RUNG || i == C_MACHINE || i == C_CHECK || i == C_RUN_LIMIT ||
                        i == C_BAR || i == C_LIMIT || i == C_FLAGS);
    g->rest_from = C_ERROR;
    grid_spare(g, C_FLAGS, C_CORES, C_COLD, C_DOWN, C_UP, C_MATH, C_EXACT, C_ERROR, C_RUN_LIMIT,
               C_SINGLE, C_NAIVE, C_RATE, C_WIDTH, C_MULTI, C_RUN, C_BAR, C_BASE, C_LIMIT);
}

static bool has_resident(const struct standing *s)
{
    for (size_t role = 0; role < ROLES; role++)
        if (isfinite(s->resident[role].ratio))
            return true;
    return false;
}

/* The same ratios with the data on the device already, for the rungs that leave the CPU. */
static void print_resident(FILE *out, bool markdown, struct row *const rows[],
                           const struct ladder *l)
{
    static const char *const headings[] = {"resident", "on",     "run",      "+-",
                                           "x first",  "x base", "x 1-core", "x n-core"};
    struct grid g;

    grid_start(&g);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        grid_column(&g, headings[i], i <= 1);
    for (size_t i = 0; i < l->count; i++) {
        const struct standing *s = &l->standings[i];
        if (!has_resident(s))
            continue;
        const struct summary run = series_summary(&rows[i]->run);
        grid_row(&g);
        grid_set(&g, 0, "%s", l->rivals[i].name);
        if (rows[i]->machine != NULL && rows[i]->machine[0] != '\0')
            grid_set(&g, 1, "%s", rows[i]->machine);
        set_time(&g, 2, run.median);
        if (isfinite(run.low))
            grid_set(&g, 3, "%.1f%%", 50.0 * (run.high - run.low) / run.median);
        set_ratios(&g, 4, &l->rivals[i], s, true);
    }
    if (g.rows > 1) {
        grid_print(&g, out, markdown);
        fputs("\n", out);
    }
    grid_free(&g);
}

static double shortest(struct row *const rows[], size_t count)
{
    double least = INFINITY;

    for (size_t i = 0; i < count; i++)
        if (row_timed(rows[i]) && rows[i]->e2e.rounds > 0)
            least = fmin(least, median_of(rows[i]->e2e.round, rows[i]->e2e.rounds));
    return least;
}

/* On a terminal: the fastest has all of it, and what takes ten times as long a quarter less. */
static void set_bar(struct grid *g, const struct row *row, double least)
{
    const double time = median_of(row->e2e.round, row->e2e.rounds);
    char bar[GRID_TEXT];

    grid_bar(1.0 - log10(time / least) / 4.0, bar);
    grid_set(g, C_BAR, "%s", bar);
    if (time == least)
        g->tone[g->rows - 1] = TONE_BEST;
}

static void print_title(FILE *out, bool markdown, const struct row *row)
{
    char size[128], title[512];

    table_size(row->problem, row->dims, size, sizeof size);
    snprintf(title, sizeof title, "%s%s   %s   %s: %s%s", markdown ? "### " : "",
             problem_name(row->problem), row->problem->formula, row->label, size,
             markdown ? "\n\n" : "\n");
    terminal_lines(out, title);
}

static void print_for_people(FILE *out, bool markdown, struct row *const rows[], size_t count,
                             const struct references *r)
{
    const double least = shortest(rows, count);
    const bool bars = !markdown && terminal_width(out) > 0;
    struct grid g;
    const char *unit;

    row_work(rows[0], &unit);
    print_title(out, markdown, rows[0]);

    start_bench_grid(&g, unit);
    for (size_t i = 0; i < count; i++) {
        grid_row(&g);
        set_verdict(&g, rows[i]);
        if (!row_timed(rows[i]))
            continue;
        set_timing(&g, rows[i]);
        if (bars)
            set_bar(&g, rows[i], least);
        set_ratios(&g, C_NAIVE, &r->ladder->rivals[i], &r->ladder->standings[i], false);
    }
    grid_print(&g, out, markdown);
    grid_free(&g);
    fputs("\n", out);
    print_resident(out, markdown, rows, r->ladder);
    table_scaling(out, markdown, rows, count);
}

void table_bench(FILE *out, enum format format, struct row *const rows[], size_t count,
                 const struct references *references, bool first)
{
    const struct ladder *ladder = references != NULL ? references->ladder : NULL;

    if (count == 0)
        return;
    switch (format) {
    case FORMAT_TABLE: print_for_people(out, false, rows, count, references); break;
    case FORMAT_MARKDOWN: print_for_people(out, true, rows, count, references); break;
    case FORMAT_CSV: table_csv(out, rows, count, ladder, first); break;
    case FORMAT_JSON: table_json(out, rows, count, ladder); break;
    }
    fflush(out);
}

void table_check(FILE *out, enum format format, struct row *const rows[], size_t count,
                 bool first)
{
    struct grid g;

    if (format == FORMAT_CSV || format == FORMAT_JSON) {
        table_bench(out, format, rows, count, NULL, first);
        return;
    }
    grid_start(&g);
    grid_column(&g, "rung", true);
    grid_column(&g, "check", true);
    grid_column(&g, "error", false);
    grid_column(&g, "exact", false);
    grid_column(&g, "sizes", false);
    grid_column(&g, "refused", false);
    g.rest_from = 2;
    for (size_t i = 0; i < count; i++) {
        const struct row *row = rows[i];
        grid_row(&g);
        grid_set(&g, 0, "%s", row_name(row).full);
        grid_set(&g, 1, "%s", outcome_names[row->fate.outcome]);
        if (row->fate.outcome != OUTCOME_OK)
            g.rest[g.rows - 1] = row->fate.reason;
        g.tone[g.rows - 1] = tone_of(&row->fate);
        grid_set(&g, 2, "%.2f", row->verdict.error);
        if (row->verdict.asked > 0)
            grid_set(&g, 3, row->verdict.same == row->verdict.asked ? "100%%" : "%.3f%%",
                     100.0 * verdict_exact(&row->verdict));
        grid_set(&g, 4, "%zu", row->sizes_ok);
        if (row->sizes_refused > 0)
            grid_set(&g, 5, "%zu", row->sizes_refused);
    }
    grid_print(&g, out, format == FORMAT_MARKDOWN);
    grid_free(&g);
    fputs("\n", out);
    fflush(out);
}
