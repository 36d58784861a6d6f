/* rungs compare: prints the ratios within one file of records, or what changed between two. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/terminal.h"
#include "harness/commands/compare.h"
#include "harness/commands/legend_due.h"
#include "harness/records/derived.h"
#include "harness/records/ladder.h"
#include "harness/records/measurement.h"
#include "harness/records/records.h"

/* --- how a comparison is printed -------------------------------------------------------------- */

static void describe_ratio(double ratio, char *text, size_t bytes)
{
    snprintf(text, bytes, ratio >= 99.95 ? "%.1f" : ratio < 0.0995 ? "%#.3g" : "%.3f", ratio);
}

const struct grid_column compare_columns[COMPARE_COLUMNS] = {
    [COMPARE_RATIO] = {.heading = "x faster", .name = "ratio"},
    [COMPARE_INTERVAL] = {.heading = "interval"},
    [COMPARE_LOW] = {.name = "low"},
    [COMPARE_HIGH] = {.name = "high"},
    [COMPARE_CONFIDENCE] = {.name = "conf"},
    [COMPARE_ROUNDS] = {.heading = "rounds", .name = "rounds"},
    [COMPARE_METHOD] = {.name = "method"},
    [COMPARE_VERDICT] = {"verdict", "verdict", .left = true},
};

static void set_texts(struct grid *g, size_t ratio, size_t interval, size_t verdict,
                      const struct comparison *c)
{
    char text[24], low[24], high[24];

    if (!isfinite(c->ratio))
        return;
    describe_ratio(c->ratio, text, sizeof text);
    describe_ratio(c->low, low, sizeof low);
    describe_ratio(c->high, high, sizeof high);
    grid_set(g, ratio, "%s", text);
    if (isfinite(c->low))
        grid_set(g, interval, "%s to %s", low, high);
    grid_set(g, verdict, "%s", finding_names[c->finding]);
}

void compare_set_beside(struct grid *g, size_t column, const struct comparison *c)
{
    set_texts(g, column, column + 1, column + 2, c);
}

void compare_set(struct grid *g, size_t column, const struct comparison *c)
{
    set_texts(g, column, column + COMPARE_INTERVAL, column + COMPARE_VERDICT, c);
    grid_number(g, column, c->ratio);
    grid_number(g, column + COMPARE_LOW, c->low);
    grid_number(g, column + COMPARE_HIGH, c->high);
    grid_number(g, column + COMPARE_CONFIDENCE, c->confidence);
    if (!isfinite(c->ratio))
        return;
    grid_count(g, column + COMPARE_ROUNDS, c->rounds);
    grid_set(g, column + COMPARE_METHOD, "%s", c->method);
}

void compare_legend(const char *what)
{
    char text[600];

    snprintf(text, sizeof text,
             "x faster  how many times faster %s, with a confidence interval\n"
             "verdict   FASTER, SLOWER: sure; SAME: no difference that matters; UNRESOLVED: too few or too noisy "
             "rounds\n", what);
    terminal_hang(stdout, text);
}

/* --- within one file -------------------------------------------------------------------------- */

/* A row of the table. */
struct line {
    const struct result *cell, *base; /* the result, and what it is compared with */
    const struct comparisons *comparisons; /* the cell's */
    char roles[40]; /* of `base`: "base, 1-core" */
    bool resident;
    const struct comparison *comparison;
};

enum { C_PROBLEM, C_VARIANT, C_SIZE, C_THAN, C_AS, C_PHASE, C_COMPARISON };

static void add_row(struct grid *g, const struct line *l)
{
    char size[200];

    result_size(l->cell, size, sizeof size);
    grid_row(g)->record = derived_compare(l->cell, l->base, l->comparisons,
                                          l->resident ? "resident" : "e2e", l->comparison);
    grid_set(g, C_PROBLEM, "%s", l->cell->problem);
    grid_set(g, C_VARIANT, "%s", result_name(l->cell).text);
    grid_set(g, C_SIZE, "%s", size);
    grid_set(g, C_THAN, "%s", result_name(l->base).text);
    grid_set(g, C_AS, "%s", l->roles);
    grid_set(g, C_PHASE, l->resident ? "resident" : "end to end");
    grid_word(g, C_PHASE, l->resident ? "resident" : "e2e");
    compare_set(g, C_COMPARISON, l->comparison);
}

/* Adds the comparison with the baseline of a role.  A baseline with several roles gets one row. */
static void add_role(struct grid *g, const struct result *cell, const struct comparisons *s,
                     size_t role)
{
    struct line line = {.cell = cell, .comparisons = s, .base = s->baseline[role], .roles = ""};

    if (line.base == NULL)
        return;
    for (size_t other = 0; other < ROLES; other++) {
        if (s->baseline[other] != s->baseline[role])
            continue;
        if (other < role)
            return;
        snprintf(line.roles + strlen(line.roles), sizeof line.roles - strlen(line.roles), "%s%s",
                 line.roles[0] != '\0' ? ", " : "", role_names[other]);
    }
    for (int resident = 0; resident < 2; resident++) {
        line.resident = resident == 1;
        line.comparison = resident == 1 ? &s->resident[role] : &s->e2e[role];
        if (isfinite(line.comparison->ratio))
            add_row(g, &line);
    }
}

static void start_grid(struct grid *g)
{
    static const struct grid_column columns[] = {
        [C_PROBLEM] = {.name = "problem", .quoted = true},
        [C_VARIANT] = {"variant", "variant", .left = true, .quoted = true},
        [C_SIZE] = {.name = "size", .quoted = true},
        [C_THAN] = {"baseline", "than", .left = true, .quoted = true},
        [C_AS] = {"role", "as", .left = true, .quoted = true},
        [C_PHASE] = {"phase", "phase", .left = true},
    };

    grid_start(g);
    grid_columns(g, columns, sizeof columns / sizeof *columns);
    grid_columns(g, compare_columns, COMPARE_COLUMNS);
    grid_order(g, C_VARIANT, C_THAN, C_AS, C_PHASE, C_COMPARISON + COMPARE_RATIO,
               C_COMPARISON + COMPARE_INTERVAL, C_COMPARISON + COMPARE_VERDICT,
               C_COMPARISON + COMPARE_ROUNDS);
    grid_spare(g, C_COMPARISON + COMPARE_ROUNDS, C_AS, C_COMPARISON + COMPARE_VERDICT,
               C_COMPARISON + COMPARE_INTERVAL);
}

static void set_caption(struct grid *g, const struct result *c, const struct ladder *l)
{
    char size[200];
    double confidence = NAN;

    for (size_t i = 0; i < l->count; i++)
        for (size_t role = 0; role < ROLES; role++)
            if (isfinite(l->comparisons[i].e2e[role].ratio))
                confidence = l->comparisons[i].e2e[role].confidence;
            else if (isfinite(l->comparisons[i].resident[role].ratio))
                confidence = l->comparisons[i].resident[role].confidence;
    result_size(c, size, sizeof size);
    grid_caption(g, "%s   %s: %s   confidence intervals: %.4g %%", c->problem, c->label, size,
                 100.0 * confidence);
}

/* Returns how many comparisons there are. */
static size_t print_table(struct result *const results[], size_t count, enum format format,
                          bool first)
{
    struct ladder l = ladder_make(results, count);
    struct grid g;

    start_grid(&g);
    if (count > 0)
        set_caption(&g, results[0], &l);
    g.continued = !first;
    for (size_t i = 0; i < count; i++)
        for (size_t role = 0; role < ROLES; role++)
            add_role(&g, results[i], &l.comparisons[i], role);
    const size_t rows = g.count;
    grid_print(&g, format, stdout);
    grid_free(&g);
    ladder_free(&l);
    return rows;
}

/* Prints the comparisons within each table of a file. */
static int compare_within(const struct options *o, const struct records *p)
{
    size_t rows = 0;

    if (p->result_count == 0) /* without a table CSV still has its line of names */
        print_table(NULL, 0, o->format, true);
    for (size_t i = 0, count; i < p->result_count; i += count) {
        count = records_table_length(p, i);
        struct result **results = records_table(p, i, count);
        rows += print_table(results, count, o->format, i == 0);
        free(results);
    }
    if (rows > 0 && legend_due(o, "compare")) {
        terminal_hang(stdout, "role      first: the first variant; base: the one that it is compared with; 1-core, "
                              "n-core: the fastest CPU variant on one core, on several\n");
        compare_legend("than the baseline");
    }
    return rows > 0 ? STATUS_OK : STATUS_NOTHING;
}

/* --- the command ------------------------------------------------------------------------------ */

/* Was a run of `p` made on another machine than `first`? */
static bool differs(const struct run *first, const struct records *p, char *text, size_t bytes)
{
    for (size_t i = 0; i < p->run_count; i++)
        if (fingerprint_differs(&first->machine, &p->runs[i].machine, text, bytes))
            return true;
    return false;
}

static int compare_two(const struct options *o, const struct records *was, const struct records *is)
{
    char text[300] = "";
    struct error error;
    bool differ = differs(&was->runs[0], was, text, sizeof text) ||
                  differs(&was->runs[0], is, text, sizeof text);

    if (!differ || o->force)
        return compare_files(o, was, is, differ ? text : NULL);
    error_set(&error, "different machines: %s (%s, %s); --force compares them anyway", text,
              was->file, is->file);
    return usage_error(&error);
}

/* On standard error, because a program may read standard output. */
static void note_interruptions(const struct records *p)
{
    note_cut(p);
    for (size_t i = 0; i < p->run_count; i++)
        if (!p->runs[i].ended && (i + 1 == p->run_count || !p->runs[i + 1].resumes))
            fprintf(stderr, "rungs: %s: run %s was interrupted: its end is not recorded\n", p->file,
                    p->runs[i].id);
}

static bool arguments_fit(const struct options *o, struct error *error)
{
    if (o->patterns.count < 1 || o->patterns.count > 2)
        return error_set(error, "compare takes one file of records, or two: compare OLD NEW");
    return o->patterns.count == 2 || isnan(o->fail_slower) ||
           error_set(error, "--fail-on needs two files, OLD and NEW");
}

static int run(const struct options *o)
{
    struct records one, two;
    struct error error;
    int status;

    if (!arguments_fit(o, &error) || !records_read(o->patterns.word[0], &one, &error))
        return usage_error(&error);
    note_interruptions(&one);
    if (o->patterns.count == 1) {
        status = compare_within(o, &one);
    } else if (records_read(o->patterns.word[1], &two, &error)) {
        note_interruptions(&two);
        status = compare_two(o, &one, &two);
        records_free(&two);
    } else {
        status = usage_error(&error);
    }
    records_free(&one);
    return status;
}

const struct command command_compare = {
    .name = "compare",
    .usage = "compare OLD NEW [--fail-on slower:5%] [--force]  |  compare FILE",
    .about = "compare two files of records (what became faster or slower), or the variants of one",
    .help = "bench writes files of records to results/.\n"
            "Two files: for each variant and size that both contain, how many times faster NEW is,\n"
            "with a confidence interval and a verdict: FASTER, SLOWER, SAME or UNRESOLVED (the\n"
            "interval is too wide to tell).  Both must come from the same machine.  A file may contain\n"
            "several runs (cat A B > C): they are compared together, and six or more resolve smaller\n"
            "differences.\n"
            "One file: the ratios within each of its tables, with their confidence intervals.\n",
    .words = "FILE",
    .run = run,
};
