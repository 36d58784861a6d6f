/* rungs compare OLD NEW: prints what became faster or slower. */
#include "harness/commands/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/terminal.h"
#include "harness/commands/legend_due.h"
#include "harness/records/derived.h"
#include "harness/records/measurement.h"

struct tallies {
    size_t found[UNRESOLVED + 1];
    size_t compared, only_old, only_new, regressions;
};

struct job {
    const struct options *o;
    const struct records *was, *is;
    const char *differs;
    const struct match *matches;
    size_t count;
    struct tallies tallies;
};

/* --- matches ---------------------------------------------------------------------------------- */

/* Returns the result that stands for the match: OLD's, or NEW's if only NEW has it. */
static const struct result *cell_of(const struct match *m)
{
    return m->was != NULL ? m->was : m->is;
}

static bool compared(const struct match *m)
{
    return isfinite(m->e2e.ratio);
}

static const char *status_of(const struct result *r)
{
    return r != NULL ? outcome_names[r->fate.outcome] : NULL;
}

static bool has_time(const struct result *c)
{
    return c != NULL && result_timed(c);
}

/* Do both files contain it, and does one have a time? */
static bool worth_a_row(const struct match *m)
{
    return m->was != NULL && m->is != NULL && (has_time(m->was) || has_time(m->is));
}

static bool regressed(const struct job *j, const struct match *m)
{
    return isfinite(j->o->fail_slower) && match_is_regression(m, j->o->fail_slower);
}

static void count_all(struct job *j)
{
    struct tallies *t = &j->tallies;

    for (size_t i = 0; i < j->count; i++) {
        const struct match *m = &j->matches[i];
        t->only_old += m->is == NULL;
        t->only_new += m->was == NULL;
        t->regressions += regressed(j, m);
        if (!compared(m))
            continue;
        t->compared++;
        t->found[m->e2e.finding]++;
    }
}

/* --- a table ---------------------------------------------------------------------------------- */

/* People see end to end and resident in one row; programs get a row for each phase. */
enum {
    C_PROBLEM, C_VARIANT, C_SIZE, C_PHASE, C_OLD, C_NEW, C_COMPARISON,
    C_RESIDENT = C_COMPARISON + COMPARE_COLUMNS, C_RESIDENT_INTERVAL, C_RESIDENT_VERDICT,
    C_OLD_RUNS, C_NEW_RUNS, C_OLD_STATUS, C_NEW_STATUS, C_FORCED, C_REGRESSION
};

static void start_grid(struct grid *g)
{
    static const struct grid_column first[] = {
        [C_PROBLEM] = {.name = "problem", .quoted = true},
        [C_VARIANT] = {"variant", "variant", .left = true, .quoted = true},
        [C_SIZE] = {.name = "size", .quoted = true},
        [C_PHASE] = {.name = "phase"},
        [C_OLD] = {.heading = "old", .name = "old_s"},
        [C_NEW] = {.heading = "new", .name = "new_s"},
    };
    static const struct grid_column last[] = {
        {.heading = "resident"}, {.heading = "interval"}, {"verdict", .left = true},
        {.name = "old_launches"}, {.name = "new_launches"},
        {.name = "old_status", .quoted = true}, {.name = "new_status", .quoted = true},
        {.name = "forced"}, {"", "regression", .left = true},
    };

    grid_start(g);
    grid_columns(g, first, sizeof first / sizeof *first);
    grid_columns(g, compare_columns, COMPARE_COLUMNS);
    grid_columns(g, last, sizeof last / sizeof *last);
    g->rest_from = C_OLD;
    grid_order(g, C_VARIANT, C_OLD, C_NEW, C_COMPARISON + COMPARE_RATIO,
               C_COMPARISON + COMPARE_INTERVAL, C_COMPARISON + COMPARE_VERDICT, C_RESIDENT,
               C_RESIDENT_INTERVAL, C_RESIDENT_VERDICT, C_REGRESSION);
    grid_spare(g, C_RESIDENT_INTERVAL, C_RESIDENT_VERDICT, C_RESIDENT, C_OLD, C_NEW,
               C_COMPARISON + COMPARE_INTERVAL);
}

static json_t *json_of(const struct job *j, const struct match *m, const char *phase,
                       const struct comparison *c)
{
    const struct result *cell = cell_of(m);
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:s, s:o, s:o, s:I, s:I, s:s*, s:s*, s:b, s:b}", "record",
        "compare", "problem", cell->problem, "variant", cell->variant, "scale",
        scale_write(&cell->scale), "size", size_write(cell), "phase", phase, "old_s",
        json_number(m->was_median), "new_s", json_number(m->is_median), "old_launches",
        (json_int_t)m->was_runs, "new_launches", (json_int_t)m->is_runs, "old_status",
        status_of(m->was), "new_status", status_of(m->is),
        "forced", j->differs != NULL, "regression", regressed(j, m));

    derived_comparison(object, c);
    return object;
}

static void add_phase(struct grid *g, const struct job *j, const struct match *m, const char *phase,
                      const struct comparison *c)
{
    const struct result *cell = cell_of(m);
    char size[200];

    result_size(cell, size, sizeof size);
    struct grid_row *row = grid_row(g);
    row->seen = SEEN_PROGRAMS;
    row->record = json_of(j, m, phase, c);
    grid_set(g, C_PROBLEM, "%s", cell->problem);
    grid_set(g, C_VARIANT, "%s", result_name(cell).text);
    grid_set(g, C_SIZE, "%s", size);
    grid_set(g, C_PHASE, "%s", phase);
    grid_duration(g, C_OLD, m->was_median);
    grid_duration(g, C_NEW, m->is_median);
    compare_set(g, C_COMPARISON, c);
    grid_count(g, C_OLD_RUNS, m->was_runs);
    grid_count(g, C_NEW_RUNS, m->is_runs);
    grid_set(g, C_OLD_STATUS, "%s", m->was != NULL ? status_of(m->was) : "");
    grid_set(g, C_NEW_STATUS, "%s", m->is != NULL ? status_of(m->is) : "");
    grid_truth(g, C_FORCED, j->differs != NULL);
    grid_truth(g, C_REGRESSION, regressed(j, m));
}

/* Fills the row that people see: both phases, or the reason why there is no ratio. */
static void show_people(struct grid *g, const struct job *j, const struct match *m)
{
    const struct result *without = has_time(m->was) ? m->is : m->was;
    char reason[500];

    g->rows[g->count - 1].seen |= SEEN_PEOPLE;
    if (compared(m)) {
        compare_set_beside(g, C_RESIDENT, &m->resident);
        if (j->tallies.regressions > 0)
            grid_set(g, C_REGRESSION, "%s", regressed(j, m) ? "regression" : "");
        return;
    }
    snprintf(reason, sizeof reason, "no time in %s: %s%s%s%s", without == m->was ? "OLD" : "NEW",
             outcome_names[without->fate.outcome],
             without->fate.reason[0] != '\0' ? ": " : "", without->fate.reason,
             regressed(j, m) ? "  regression" : "");
    grid_rest(g, reason);
}

static bool same_table(const struct match *a, const struct match *b)
{
    char one[200], other[200];

    result_size(cell_of(a), one, sizeof one);
    result_size(cell_of(b), other, sizeof other);
    return strcmp(cell_of(a)->problem, cell_of(b)->problem) == 0 && strcmp(one, other) == 0;
}

/* Prints the matches of one problem and size. */
static void print_table(const struct job *j, const struct match matches[], size_t count)
{
    char size[200];
    struct grid g;

    start_grid(&g);
    if (count > 0) {
        result_size(cell_of(matches), size, sizeof size);
        grid_caption(&g, "%s   %s", cell_of(matches)->problem, size);
    }
    g.continued = matches > j->matches;
    for (size_t i = 0; i < count; i++) {
        const struct match *m = &matches[i];
        add_phase(&g, j, m, "e2e", &m->e2e);
        if (worth_a_row(m))
            show_people(&g, j, m);
        if (isfinite(m->resident.ratio))
            add_phase(&g, j, m, "resident", &m->resident);
    }
    grid_print(&g, j->o->format, stdout);
    grid_free(&g);
}

/* --- all tables ------------------------------------------------------------------------------- */

/* "only in OLD: knn m=1 n=1 k=1: cpu_naive, cpu_simd", as wide as the terminal, or 100 columns. */
static void print_only(const struct match matches[], size_t count, bool old)
{
    char size[200];
    const size_t width = terminal_width(stdout);
    const int most = width > 0 ? (int)width : 100;
    int column = 0;

    for (size_t i = 0; i < count; i++) {
        const struct match *m = &matches[i];
        if ((old ? m->is : m->was) != NULL)
            continue;
        const struct result_name name = result_name(cell_of(m));
        result_size(cell_of(m), size, sizeof size);
        if (column == 0)
            column = printf("only in %s: %s %s: %s", old ? "OLD" : "NEW", cell_of(m)->problem, size,
                            name.text);
        else if (column + 2 + (int)strlen(name.text) < most)
            column += printf(", %s", name.text);
        else
            column = printf(",\n    %s", name.text) - 2;
    }
    fputs(column > 0 ? "\n" : "", stdout);
}

static void for_each_table(const struct job *j, bool tables)
{
    if (j->count == 0) /* without a table CSV still has its line of names */
        print_table(j, j->matches, 0);
    for (size_t i = 0, end; i < j->count; i = end) {
        for (end = i + 1; end < j->count && same_table(&j->matches[i], &j->matches[end]); end++)
            ;
        if (tables) {
            print_table(j, j->matches + i, end - i);
        } else {
            print_only(j->matches + i, end - i, true);
            print_only(j->matches + i, end - i, false);
        }
    }
}

static void print_file(const char *name, const struct records *p)
{
    const struct run *run = &p->runs[0];
    char more[48] = "";

    if (p->run_count > 1)
        snprintf(more, sizeof more, ", and %zu more run%s", p->run_count - 1,
                 p->run_count > 2 ? "s" : "");
    terminal_printf(stdout, "%s  %s: %s, rungs %s (%s), %s%s\n", name, p->file, run->started,
                    run->version, run->commit, run->cpu, more);
}

static void print_for_people(const struct job *j)
{
    const struct tallies *t = &j->tallies;

    print_file("OLD", j->was);
    print_file("NEW", j->is);
    if (j->differs != NULL)
        terminal_printf(stdout, "DIFFERENT MACHINES: %s\n", j->differs);
    fputs("\n", stdout);
    for_each_table(j, true);
    for_each_table(j, false);
    if (t->compared > 0 && legend_due(j->o, "compare"))
        compare_legend("NEW is than OLD");
    terminal_printf(stdout, "%zu compared: %zu FASTER, %zu SLOWER, %zu SAME, %zu UNRESOLVED; "
                            "%zu only in OLD, %zu only in NEW\n", t->compared, t->found[FASTER], t->found[SLOWER],
                    t->found[SAME], t->found[UNRESOLVED], t->only_old, t->only_new);
    if (isfinite(j->o->fail_slower))
        printf("%zu regression%s: slower by %g %% or more, or failed in NEW\n",
               t->regressions, t->regressions == 1 ? "" : "s", 100.0 * j->o->fail_slower);
    printf("One run in each file resolves differences of 5 %% or more; six runs or more, 3 %%.\n");
}

int compare_files(const struct options *o, const struct records *was, const struct records *is,
                  const char *differs)
{
    struct job j = {.o = o, .was = was, .is = is, .differs = differs};
    struct match *matches = match_cells(was, is, &j.count);

    j.matches = matches;
    count_all(&j);
    if (o->format == FORMAT_TABLE || o->format == FORMAT_MARKDOWN)
        print_for_people(&j);
    else
        for_each_table(&j, true);
    free(matches);
    if (j.tallies.regressions > 0)
        return STATUS_REGRESSION;
    return j.tallies.compared > 0 ? STATUS_OK : STATUS_NOTHING;
}
