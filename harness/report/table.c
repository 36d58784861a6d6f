/* Section: a table a run, problem and size, with the columns and words of `rungs bench`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/registry.h"
#include "harness/report/html.h"
#include "harness/report/line.h"

enum { LEFT = 1u << C_RUNG | 1u << C_SIZE | 1u << C_CHECK | 1u << C_RUN_LIMIT | 1u << C_LIMIT |
              1u << C_FLAGS,
       TOGETHER = 4 /* sizes of a problem that have tables of their own; more share one */ };

/* --- rows ------------------------------------------------------------------------------------- */

/* A cell; the style puts a dash where there is nothing. */
static void print_cell(FILE *out, const struct line *l, size_t column)
{
    static const char classes[] = {[FASTER] = 'f', [SLOWER] = 's'};
    const char *text = l->text[column];
    const size_t role = column - C_FIRST;
    const double share = column == C_LIMIT ? l->share : l->run_share;

    fputs("<td", out);
    if (text[0] != '\0' && role < ROLES && l->finding[role] <= SLOWER)
        fprintf(out, " class=%c", classes[l->finding[role]]);
    else if (LEFT & 1u << column)
        fputs(" class=l", out);
    if (role < ROLES && l->interval[role][0] != '\0')
        html_print(out, " title=\"%s\"", l->interval[role]);
    if ((column == C_LIMIT || column == C_RUN_LIMIT) && text[0] != '\0')
        fprintf(out, " style=--p:%.3g", share < 1.0 ? 100.0 * share : 100.0);
    html_print(out, ">%s", text + strspn(text, " "));
}

static void print_line(FILE *out, const struct line *l, const bool used[COLUMNS], size_t left_over)
{
    const bool ok = strcmp(l->cell->status, "ok") == 0;

    html_print(out, report_failed(l->cell) ? "<tr class=bad>" : ok ? "<tr>" : "<tr class=not>");
    fputs("<th scope=row>", out);
    report_link(out, l->cell, false);
    for (size_t c = C_SIZE; c <= C_CHECK; c++)
        if (used[c])
            print_cell(out, l, c);
    for (size_t c = C_CHECK + 1; ok && c < COLUMNS; c++)
        if (used[c])
            print_cell(out, l, c);
    if (!ok && left_over > 0)
        html_print(out, "<td class=l colspan=%zu>%s", left_over, l->cell->reason);
    fputs("</tr>\n", out);
}

/* A column in which nothing stands is left out. */
static size_t find_used(const struct line lines[], size_t count, bool used[COLUMNS])
{
    size_t left_over = 0;

    for (size_t c = C_RUNG; c < COLUMNS; c++) {
        for (size_t i = 0; i < count && !used[c]; i++) {
            const bool shown = c <= C_CHECK || strcmp(lines[i].cell->status, "ok") == 0;
            used[c] = shown && lines[i].text[c][0] != '\0';
        }
        left_over += c > C_CHECK && used[c];
    }
    return left_over;
}

static const char *const headings[COLUMNS] = {
    "rung", "size", "check", "error", "exact", "math", "upload", "run", "of limit", "cold",
    "download", "time", "+-", "of limit", "", "x first", "x base", "x 1-core", "x n-core",
    "cores", "flags"};

static void print_lines(FILE *out, const char *caption, const struct line lines[], size_t count,
                        bool sizes)
{
    bool used[COLUMNS] = {true};
    const char *shown[COLUMNS] = {NULL};
    double work;

    size_t left_over = find_used(lines, count, used);
    used[C_SIZE] = sizes;
    for (size_t c = 0; c < COLUMNS; c++)
        shown[c] = !used[c] ? NULL : c != C_RATE ? headings[c]
                                                 : line_rate_unit(lines[0].cell, &work);
    if (left_over == 0) /* nothing but reasons */
        shown[C_ERROR] = "reason";
    report_table_start(out, caption, shown, COLUMNS, LEFT | (left_over == 0 ? 1u << C_ERROR : 0));
    for (size_t i = 0; i < count; i++)
        print_line(out, &lines[i], used, left_over > 0 ? left_over : 1);
    report_table_end(out);
}

/* --- resident --------------------------------------------------------------------------------- */

/* Which ratios it has; false: none. */
static bool mark_resident(const struct standing *s, bool used[ROLES])
{
    bool any = false;

    for (size_t role = 0; role < ROLES; role++)
        if (isfinite(s->resident[role].ratio))
            any = used[role] = true;
    return any;
}

static bool has_resident(const struct standing *s)
{
    bool used[ROLES];

    return mark_resident(s, used);
}

static void print_resident_line(FILE *out, const struct past_cell *c, const struct standing *s,
                                const struct rival *self, bool sizes, const bool used[ROLES])
{
    const struct line l = line_resident(c, s, self);

    fputs("<tr><th scope=row>", out);
    report_link(out, c, false);
    if (sizes)
        print_cell(out, &l, C_SIZE);
    print_cell(out, &l, C_RUN);
    print_cell(out, &l, C_WIDTH);
    for (size_t role = 0; role < ROLES; role++)
        if (used[role])
            print_cell(out, &l, C_FIRST + role);
    fputs("</tr>\n", out);
}

/* The same ratios with the data on the device already, for the rungs that leave the CPU. */
static void print_resident(FILE *out, const char *caption,
                           const struct report_table *const tables[], size_t count)
{
    const char *shown[] = {"resident", count > 1 ? "size" : NULL, "run",      "+-",
                           "x first",  "x base",                  "x 1-core", "x n-core"};
    bool used[ROLES] = {false};
    size_t lines = 0;

    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < tables[t]->count; i++)
            lines += mark_resident(&tables[t]->ladder.standings[i], used);
    if (lines == 0)
        return;
    for (size_t role = 0; role < ROLES; role++)
        shown[4 + role] = used[role] ? shown[4 + role] : NULL;
    report_table_start(out, caption, shown, sizeof shown / sizeof *shown, 3);
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < tables[t]->count; i++) {
            const struct ladder *l = &tables[t]->ladder;
            if (has_resident(&l->standings[i]))
                print_resident_line(out, &tables[t]->cells[i], &l->standings[i], &l->rivals[i],
                                    count > 1, used);
        }
    report_table_end(out);
}

/* --- the section ------------------------------------------------------------------------------ */

/* "knn   S: n=65536" or, of many sizes, "knn   17 sizes"; and the file where there are several. */
static void name_tables(const struct report *r, const struct report_file *f,
                        const struct report_table *const tables[], size_t count, char *text,
                        size_t bytes)
{
    const struct past_cell *c = tables[0]->cells;
    char size[200], which[240];

    past_size(c, size, sizeof size);
    snprintf(which, sizeof which, "%s%s%s", c->label, c->label[0] != '\0' ? ": " : "", size);
    if (count > 1)
        snprintf(which, sizeof which, "%zu sizes", count);
    snprintf(text, bytes, "%s   %s%s%s", c->problem, which, r->file_count > 1 ? "   " : "",
             r->file_count > 1 ? f->name : "");
}

static void print_tables(FILE *out, const struct report *r, const struct report_file *f,
                         const struct report_table *const tables[], size_t count)
{
    size_t lines = 0, at = 0;
    char caption[640];

    for (size_t t = 0; t < count; t++)
        lines += tables[t]->count;
    struct line *list = calloc(lines + 1, sizeof *list);
    if (list == NULL)
        abort();
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < tables[t]->count; i++)
            list[at++] = line_of(&tables[t]->cells[i], &tables[t]->ladder.standings[i],
                                 &tables[t]->ladder.rivals[i]);
    name_tables(r, f, tables, count, caption, sizeof caption);
    print_lines(out, caption, list, lines, count > 1);
    snprintf(caption + strlen(caption), sizeof caption - strlen(caption), "   resident");
    print_resident(out, caption, tables, count);
    free(list);
}

static bool of_a_kind(const struct report_table *a, const struct report_table *b)
{
    return a->cells->run == b->cells->run && strcmp(a->cells->problem, b->cells->problem) == 0;
}

/* All sizes of a run's problem: a table each, or one for all if there are many, as of a sweep. */
static void print_problem(FILE *out, const struct report *r, const struct report_file *f,
                          const struct report_table *const tables[], size_t count)
{
    const struct problem *p = registry_problem(tables[0]->cells->problem);

    html_print(out, "<div class=group><h3>%s <small>%s</small></h3>\n", tables[0]->cells->problem,
               p != NULL ? p->formula : "");
    for (size_t i = 0; count <= TOGETHER && i < count; i++)
        print_tables(out, r, f, &tables[i], 1);
    if (count > TOGETHER)
        print_tables(out, r, f, tables, count);
    fputs("</div>\n", out);
}

static void print_file(FILE *out, const struct report *r, const struct report_file *f)
{
    const struct report_table **alike = calloc(f->table_count + 1, sizeof *alike);
    bool *done = calloc(f->table_count + 1, sizeof *done);

    if (alike == NULL || done == NULL)
        abort();
    for (size_t i = 0; i < f->table_count; i++) {
        size_t count = 0;
        for (size_t j = i; j < f->table_count && !done[i]; j++)
            if (!done[j] && of_a_kind(&f->tables[i], &f->tables[j])) {
                alike[count++] = &f->tables[j];
                done[j] = j > i;
            }
        if (count > 0)
            print_problem(out, r, f, alike, count);
    }
    free(alike);
    free(done);
}

void report_tables(FILE *out, const struct report *r)
{
    if (r->cell_count == 0)
        return;
    fputs("<section id=tables aria-labelledby=h-tables><h2 id=h-tables>Tables</h2>\n", out);
    for (size_t i = 0; i < r->file_count; i++)
        print_file(out, r, &r->files[i]);
    fputs("</section>\n", out);
}
