/* rungs compare OLD NEW: what changed. */
#include "harness/commands/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare_json.h"
#include "harness/describe.h"
#include "harness/terminal.h"

struct tallies {
    size_t found[UNRESOLVED + 1];
    size_t compared, only_old, only_new, regressions;
};

struct job {
    const struct options *o;
    const struct past *was, *is;
    const char *differs;
    const struct match *matches;
    size_t count;
    struct tallies tallies;
};

/* --- what a match says ------------------------------------------------------------------------ */

/* The cell that both are, or that only one file has. */
static const struct past_cell *cell_of(const struct match *m)
{
    return m->was != NULL ? m->was : m->is;
}

static bool compared(const struct match *m)
{
    return isfinite(m->e2e.ratio);
}

static bool has_time(const struct past_cell *c)
{
    return c != NULL && past_timed(c);
}

/* Both files know of it, and one has a time. */
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

/* --- for people ------------------------------------------------------------------------------- */

enum column {
    C_RUNG, C_OLD, C_NEW, C_RATIO, C_INTERVAL, C_VERDICT, C_RESIDENT, C_RESIDENT_INTERVAL,
    C_RESIDENT_VERDICT, C_REGRESSION
};

static void set_duration(struct grid *g, size_t column, double seconds)
{
    char text[32];

    describe_duration(seconds, text, sizeof text);
    grid_set(g, column, "%s", text);
}

static void add_row(struct grid *g, const struct job *j, const struct match *m, char *reason,
                    size_t bytes)
{
    const struct past_cell *without = has_time(m->was) ? m->is : m->was;
    char name[96];

    past_name(m->was, name, sizeof name);
    grid_row(g);
    grid_set(g, C_RUNG, "%s", name);
    if (compared(m)) {
        set_duration(g, C_OLD, m->was_median);
        set_duration(g, C_NEW, m->is_median);
        compare_set(g, C_RATIO, &m->e2e);
        compare_set(g, C_RESIDENT, &m->resident);
        if (j->tallies.regressions > 0)
            grid_set(g, C_REGRESSION, "%s", regressed(j, m) ? "regression" : "");
        return;
    }
    snprintf(reason, bytes, "no time in %s: %s%s%s%s", without == m->was ? "OLD" : "NEW",
             without->status, without->reason[0] != '\0' ? ": " : "", without->reason,
             regressed(j, m) ? "  regression" : "");
    g->rest[g->rows - 1] = reason;
}

static bool same_table(const struct match *a, const struct match *b)
{
    char one[200], other[200];

    past_size(cell_of(a), one, sizeof one);
    past_size(cell_of(b), other, sizeof other);
    return strcmp(cell_of(a)->problem, cell_of(b)->problem) == 0 && strcmp(one, other) == 0;
}

/* Matches of one problem and size. */
static void print_table(const struct job *j, const struct match matches[], size_t count)
{
    static const char *const headings[] = {"rung",     "old",     "new",      "x faster",
                                           "interval", "verdict", "resident", "interval",
                                           "verdict",  ""};
    bool markdown = j->o->format == FORMAT_MARKDOWN;
    char (*reasons)[500] = calloc(count, sizeof *reasons);
    char size[200];
    struct grid g;

    if (reasons == NULL)
        abort();
    grid_start(&g);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        grid_column(&g, headings[i],
                    i == C_RUNG || i == C_VERDICT || i == C_RESIDENT_VERDICT || i == C_REGRESSION);
    g.rest_from = C_OLD;
    grid_spare(&g, C_RESIDENT_INTERVAL, C_RESIDENT_VERDICT, C_RESIDENT, C_OLD, C_NEW, C_INTERVAL);
    for (size_t i = 0; i < count && g.rows < GRID_ROWS; i++)
        if (worth_a_row(&matches[i]))
            add_row(&g, j, &matches[i], reasons[i], sizeof reasons[i]);
    if (g.rows > 1) {
        past_size(cell_of(matches), size, sizeof size);
        printf("%s%s   %s\n%s", markdown ? "### " : "", cell_of(matches)->problem, size,
               markdown ? "\n" : "");
        grid_print(&g, stdout, markdown);
        fputs("\n", stdout);
    }
    grid_free(&g);
    free(reasons);
}

/* "only in OLD: knn m=1 n=1 k=1: cpu_naive, cpu_simd", in lines of 100 columns, or the
   terminal's. */
static void print_only(const struct match matches[], size_t count, bool old)
{
    char size[200], name[96];
    const size_t width = terminal_width(stdout);
    const int most = width > 0 ? (int)width : 100;
    int column = 0;

    for (size_t i = 0; i < count; i++) {
        const struct match *m = &matches[i];
        if ((old ? m->is : m->was) != NULL)
            continue;
        past_name(cell_of(m), name, sizeof name);
        past_size(cell_of(m), size, sizeof size);
        if (column == 0)
            column = printf("only in %s: %s %s: %s", old ? "OLD" : "NEW", cell_of(m)->problem, size,
                            name);
        else if (column + 2 + (int)strlen(name) < most)
            column += printf(", %s", name);
        else
            column = printf(",\n    %s", name) - 2;
    }
    fputs(column > 0 ? "\n" : "", stdout);
}

static void for_each_table(const struct job *j, bool tables)
{
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

static void print_file(const char *name, const struct past *p)
{
    const struct past_run *run = &p->runs[0];

    char more[48] = "";

    if (p->run_count > 1)
        snprintf(more, sizeof more, ", and %zu more run%s", p->run_count - 1, p->run_count > 2 ? "s" : "");
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
    terminal_printf(stdout, "%zu compared: %zu FASTER, %zu SLOWER, %zu SAME, %zu UNRESOLVED; %zu only in "
                            "OLD, %zu only in NEW\n", t->compared, t->found[FASTER], t->found[SLOWER],
                    t->found[SAME], t->found[UNRESOLVED], t->only_old, t->only_new);
    if (isfinite(j->o->fail_slower))
        printf("%zu regression%s: slower by %g %% or more, or without a time in NEW\n",
               t->regressions, t->regressions == 1 ? "" : "s", 100.0 * j->o->fail_slower);
    printf("One launch each tells apart what differs by 5 %%; six launches or more, 3 %%.\n");
}

/* --- for programs ----------------------------------------------------------------------------- */

static json_t *seconds_or_null(double seconds)
{
    return isfinite(seconds) ? json_real(seconds) : json_null();
}

static void print_json(const struct job *j, const struct match *m, const char *phase,
                       const struct comparison *c)
{
    const struct past_cell *cell = cell_of(m);
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:s, s:o, s:o, s:I, s:I, s:s*, s:s*, s:b, s:b}", "record", "compare",
        "problem", cell->problem, "variant", cell->variant, "scale", compare_scale_json(cell), "size", compare_size_json(cell),
        "phase", phase, "old_s", seconds_or_null(m->was_median), "new_s",
        seconds_or_null(m->is_median), "old_launches", (json_int_t)m->was_launches, "new_launches",
        (json_int_t)m->is_launches, "old_status", m->was != NULL ? m->was->status : NULL,
        "new_status", m->is != NULL ? m->is->status : NULL, "forced", j->differs != NULL,
        "regression", regressed(j, m));

    compare_json(object, c);
    compare_print_json(object);
}

static void print_csv(const struct job *j, const struct match *m, const char *phase,
                      const struct comparison *c)
{
    const struct past_cell *cell = cell_of(m);
    char size[200], name[96];

    past_size(cell, size, sizeof size);
    past_name(cell, name, sizeof name);
    table_csv_text(stdout, cell->problem);
    putchar(',');
    table_csv_text(stdout, name);
    putchar(',');
    table_csv_text(stdout, size);
    printf(",%s", phase);
    table_csv_number(stdout, m->was_median);
    table_csv_number(stdout, m->is_median);
    compare_print_csv(c);
    printf(",%zu,%zu,", m->was_launches, m->is_launches);
    table_csv_text(stdout, m->was != NULL ? m->was->status : "");
    putchar(',');
    table_csv_text(stdout, m->is != NULL ? m->is->status : "");
    printf(",%d,%d\n", j->differs != NULL, regressed(j, m));
}

static void print_for_programs(const struct job *j)
{
    bool csv = j->o->format == FORMAT_CSV;

    if (csv)
        printf("problem,variant,size,phase,old_s,new_s%s,old_launches,new_launches,old_status,"
               "new_status,forced,regression\n", compare_csv_names);
    for (size_t i = 0; i < j->count; i++) {
        const struct match *m = &j->matches[i];
        (csv ? print_csv : print_json)(j, m, "e2e", &m->e2e);
        if (isfinite(m->resident.ratio))
            (csv ? print_csv : print_json)(j, m, "resident", &m->resident);
    }
}

int compare_files(const struct options *o, const struct past *was, const struct past *is,
                  const char *differs)
{
    struct job j = {.o = o, .was = was, .is = is, .differs = differs};
    struct match *matches = match_cells(was, is, &j.count);

    j.matches = matches;
    count_all(&j);
    if (o->format == FORMAT_TABLE || o->format == FORMAT_MARKDOWN)
        print_for_people(&j);
    else
        print_for_programs(&j);
    free(matches);
    if (j.tallies.regressions > 0)
        return STATUS_REGRESSION;
    return j.tallies.compared > 0 ? STATUS_OK : STATUS_NOTHING;
}
