/* The sections with tables: one for each run, problem and size; several files side by side; crossovers of
   sweeps; and the legend. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "harness/base/html.h"
#include "harness/model/judge.h"
#include "harness/model/registry.h"
#include "harness/records/caveats.h"
#include "harness/report/report.h"
#include "harness/table/columns.h"

enum { TOGETHER = 4 /* up to so many sizes of a problem have a table each; more share one */ };

static struct columns_seen seen; /* in the tables of this page */

/* --- a table for each run, problem and size --------------------------------------------------- */

void report_name(struct grid *g, const struct result *result)
{
    grid_set(g, 0, "%s/%s", result->problem, result_name(result).text);
    grid_link(g, 0, result->problem, result->variant);
}

void report_size(const struct result *result, char *text, size_t bytes)
{
    char size[200];

    result_size(result, size, sizeof size);
    snprintf(text, bytes, "%s%s%s", result->label, result->label[0] != '\0' ? ": " : "", size);
}

/* Sets the caption: "knn   S: n=65536" or "knn   17 sizes", and the file if there are several. */
static void name_tables(struct grid *g, const char *file, const struct report_table *const tables[],
                        size_t count, const char *end)
{
    const struct result *first = tables[0]->results[0];
    char which[240];

    report_size(first, which, sizeof which);
    if (count > 1)
        snprintf(which, sizeof which, "%zu sizes", count);
    grid_caption(g, "%s   %s%s%s%s", first->problem, which, file[0] != '\0' ? "   " : "", file,
                 end);
}

static void print_tables(FILE *out, const char *file, const struct report_table *const tables[],
                         size_t count)
{
    const char *unit;

    result_rate_work(tables[0]->results[0], &unit);
    struct grid g = columns_start(unit);
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < tables[t]->count; i++)
            columns_add(&g, &(struct columns_row){.result = tables[t]->results[i],
                                                  .comparisons = &tables[t]->ladder.comparisons[i],
                                                  .sized = count > 1,
                                                  .memory = tables[t]->results[i]->language[0] != '\0'});
    name_tables(&g, file, tables, count, "");
    grid_print(&g, FORMAT_HTML, out);
    columns_see(&seen, &g);
    columns_resident(&g);
    name_tables(&g, file, tables, count, "   resident");
    grid_print(&g, FORMAT_HTML, out);
    columns_counted(&g);
    name_tables(&g, file, tables, count, "   counted in the simulator");
    grid_print(&g, FORMAT_HTML, out);
    columns_see(&seen, &g);
    grid_free(&g);
}

static bool of_a_kind(const struct report_table *a, const struct report_table *b)
{
    return a->results[0]->run == b->results[0]->run &&
           strcmp(a->results[0]->problem, b->results[0]->problem) == 0;
}

/* Prints all sizes of a run's problem: a table each, or one for all if there are many, as in a sweep. */
static void print_sizes(FILE *out, const char *file, const struct report_table *const tables[],
                        size_t count)
{
    for (size_t i = 0; count <= TOGETHER && i < count; i++)
        print_tables(out, file, &tables[i], 1);
    if (count > TOGETHER)
        print_tables(out, file, tables, count);
}

static void print_file(FILE *out, const struct report_file *f, const char *name, const char *problem)
{
    const struct report_table **alike = calloc(f->table_count + 1, sizeof *alike);
    bool *done = calloc(f->table_count + 1, sizeof *done);

    if (alike == NULL || done == NULL)
        abort();
    for (size_t i = 0; i < f->table_count; i++) {
        size_t count = 0;
        if (strcmp(f->tables[i].results[0]->problem, problem) != 0)
            continue;
        for (size_t j = i; j < f->table_count && !done[i]; j++)
            if (!done[j] && of_a_kind(&f->tables[i], &f->tables[j])) {
                alike[count++] = &f->tables[j];
                done[j] = j > i;
            }
        if (count > 0)
            print_sizes(out, name, alike, count);
    }
    free(alike);
    free(done);
}

/* --- problem by problem ----------------------------------------------------------------------- */

void report_problem_id(const char *problem, char *id, size_t bytes)
{
    id[0] = '\0';
    if (html_is_id(problem))
        snprintf(id, bytes, "problem-%s", problem);
}

static const char *problem_of(const struct report *r, size_t table)
{
    for (size_t f = 0; f < r->file_count; f++) {
        if (table < r->files[f].table_count)
            return r->files[f].tables[table].results[0]->problem;
        table -= r->files[f].table_count;
    }
    return NULL;
}

const char *report_next_problem(const struct report *r, size_t *at)
{
    const char *problem;

    while ((problem = problem_of(r, *at)) != NULL) {
        bool earlier = false;
        for (size_t i = 0; i < *at && !earlier; i++)
            earlier = strcmp(problem_of(r, i), problem) == 0;
        ++*at;
        if (!earlier)
            break;
    }
    return problem;
}

static void print_problem(FILE *out, const struct report *r, const char *problem)
{
    const struct problem *p = registry_problem(problem);
    char id[96];

    report_problem_id(problem, id, sizeof id);
    html_print(out, id[0] != '\0' ? "<div class=group id=\"%s\">" : "<div class=group>%s", id);
    html_print(out, "<h3>%s <small>%s</small></h3>\n", problem, p != NULL ? p->formula : "");
    for (size_t i = 0; i < r->file_count; i++)
        print_file(out, &r->files[i], r->file_count > 1 ? r->files[i].name : "", problem);
    fputs("</div>\n", out);
}

void report_tables(FILE *out, const struct report *r)
{
    const char *problem;

    if (r->result_count == 0)
        return;
    report_section(out, "tables", "Tables");
    for (size_t at = 0; (problem = report_next_problem(r, &at)) != NULL;)
        print_problem(out, r, problem);
    fputs("</section>\n", out);
}

/* --- several files side by side --------------------------------------------------------------- */

/* A variant at a size: the last result of each file that has it. */
struct across {
    const struct result *of[REPORT_FILES];
    const struct result *any;
    size_t files; /* number of files that have it */
};

static void place(struct across list[], json_t *known, const struct report_result *r)
{
    char key[400], size[200];

    result_size(r->is, size, sizeof size);
    snprintf(key, sizeof key, "%s/%s\n%s\n%s", r->is->problem, result_name(r->is).text, size,
             math_names[r->is->math]);
    if (json_object_get(known, key) == NULL)
        json_object_set_new(known, key, json_integer((json_int_t)json_object_size(known)));
    struct across *a = &list[json_integer_value(json_object_get(known, key))];
    a->files += a->of[r->file] == NULL;
    a->of[r->file] = r->is;
    a->any = a->any != NULL ? a->any : r->is;
}

/* Lists what several files have; for free(). */
static struct across *collect(const struct report *r, size_t *shared)
{
    struct across *list = calloc(r->result_count + 1, sizeof *list);
    json_t *known = json_object();

    if (list == NULL)
        abort();
    for (size_t i = 0; i < r->result_count; i++)
        place(list, known, &r->results[i]);
    *shared = 0;
    for (size_t i = 0; i < json_object_size(known); i++)
        if (list[i].files > 1)
            list[(*shared)++] = list[i];
    json_decref(known);
    return list;
}

bool report_is_combined(const struct report *r)
{
    size_t shared;

    free(collect(r, &shared));
    return shared > 0;
}

static void add_across(struct grid *g, const struct across *a, size_t files)
{
    double time[REPORT_FILES], best = NAN;
    char size[200];
    size_t times = 0;

    grid_row(g);
    report_name(g, a->any);
    result_size(a->any, size, sizeof size);
    grid_set(g, 1, "%s", size);
    for (size_t f = 0; f < files; f++) {
        const struct result *r = a->of[f];
        time[f] = r != NULL && result_timed(r) ? series_median(&r->time[PHASE_E2E]) : NAN;
        best = fmin(best, time[f]); /* ignores NaN */
        times += isfinite(time[f]);
    }
    for (size_t f = 0; f < files; f++) {
        if (isfinite(time[f]))
            grid_duration(g, 2 + f, time[f]);
        else if (a->of[f] != NULL)
            grid_set(g, 2 + f, "%s", outcome_names[a->of[f]->fate.outcome]);
        grid_cell(g, 2 + f)->tone = times > 1 && time[f] <= best ? TONE_BEST : TONE_PLAIN;
    }
}

void report_combined(FILE *out, const struct report *r)
{
    size_t shared;
    struct across *list = collect(r, &shared);
    struct grid g;

    grid_start(&g);
    grid_caption(&g, "Time end to end, by file");
    grid_column(&g, "variant", true);
    grid_column(&g, "size", true);
    for (size_t f = 0; f < r->file_count; f++)
        grid_column(&g, r->files[f].name, false);
    for (size_t i = 0; i < shared; i++)
        add_across(&g, &list[i], r->file_count);
    if (shared > 0) {
        report_section(out, "combined", "Side by side");
        fputs("<p>Medians end to end of what several of these files contain. The fastest of a row is "
              "green. There are no confidence intervals, because the machines may differ.</p>\n", out);
        grid_print(&g, FORMAT_HTML, out);
        fputs("</section>\n", out);
    }
    grid_free(&g);
    free(list);
}

/* --- crossovers, as `rungs sweep` found them --------------------------------------------------- */

static void add_crossover(struct grid *g, const struct crossover_record *c, const char *file)
{
    grid_row(g);
    grid_set(g, 0, "%s/%s", c->problem, c->variant);
    grid_link(g, 0, c->problem, c->variant);
    grid_set(g, 1, "%s", strcmp(c->phase, "e2e") == 0 ? "end to end" : c->phase);
    grid_set(g, 2, "%s", c->sentence);
    grid_set(g, 3, "%s", file);
}

void report_crossovers(FILE *out, const struct report *r)
{
    struct grid g;

    grid_start(&g);
    grid_caption(&g, "Crossovers");
    grid_column(&g, "variant", true);
    grid_column(&g, "phase", true);
    grid_column(&g, "faster than the fastest of the baseline", true);
    grid_column(&g, "file", true);
    for (size_t f = 0; f < r->file_count; f++)
        for (size_t i = 0; i < r->files[f].past.crossover_count; i++)
            add_crossover(&g, &r->files[f].past.crossovers[i], r->files[f].name);
    if (g.count > 0) {
        report_section(out, "crossovers", "From which size on?");
        grid_print(&g, FORMAT_HTML, out);
        fputs("</section>\n", out);
    }
    grid_free(&g);
}

/* --- the legend ------------------------------------------------------------------------------- */

static void explain(void *context, const char *heading, const char *meaning)
{
    html_print(context, "<dt>%s<dd>%s\n", heading, meaning);
}

void report_legend(FILE *out)
{
    report_section(out, "legend", "Legend");
    fputs("<h3>Columns</h3><dl>\n", out);
    columns_explain(&seen, explain, out);
    fputs("</dl>\n<h3>Marks of ratios</h3><dl>\n"
          "<dt>2.54<dd>a ratio without a mark is sure: FASTER above 1, SLOWER below 1\n"
          "<dt>1.01=<dd>SAME: equal within 2 %\n"
          "<dt>1.20?<dd>UNRESOLVED: too few or too noisy rounds to tell\n"
          "</dl>\n<h3>Flags</h3><dl id=flags>\n", out);
    for (int i = 0; i < FLAGS; i++) {
        const char letter[] = {flag_letters[i], '\0'};
        if (letter[0] != '\0')
            html_print(out, "<dt data-flag=%s>%s %s<dd>%s\n", letter, letter, flag_names[i],
                       flag_meanings[i]);
    }
    fputs("</dl>\n</section>\n", out);
}
