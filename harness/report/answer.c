/* The first section: the fastest variant of each problem, how many times faster it is than the first, and a picture. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/html.h"
#include "harness/plots/plot.h"
#include "harness/report/report.h"
#include "harness/table/columns.h"
#include "harness/table/table.h"

enum {
    SIZES = 4,    /* a problem with more sizes, such as that of a sweep, has a row for the last of them only */
    ANSWERS = 200 /* at most so many rows are found; the tables below have all */
};

/* The fastest variant in the tables of one problem and size, measured on one machine. */
struct answer {
    const struct report_file *file;
    const struct report_table *table;
    const struct result *fastest;
    size_t at;    /* of `fastest` in its table */
    bool left_out;
};

struct answers {
    size_t count;
    struct answer *list; /* in the order of the files */
};

/* --- which ------------------------------------------------------------------------------------ */

static const struct run *run_of(const struct answer *a)
{
    return &a->file->past.runs[a->fastest->run];
}

static double time_of(const struct result *r)
{
    return series_median(&r->time[PHASE_E2E]);
}

static bool same_problem(const struct answer *a, const struct answer *b)
{
    return strcmp(a->fastest->problem, b->fastest->problem) == 0;
}

static bool same_machine(const struct answer *a, const struct answer *b)
{
    return plots_same_machine(run_of(a), run_of(b));
}

static bool same_size(const struct answer *a, const struct answer *b)
{
    char one[240], other[240];

    report_size(a->fastest, one, sizeof one);
    report_size(b->fastest, other, sizeof other);
    return strcmp(one, other) == 0;
}

/* Finds the fastest variant of a table.  False: none has a time. */
static bool find_fastest(struct answer *a)
{
    for (size_t i = 0; i < a->table->count; i++) {
        const struct result *r = a->table->results[i];
        if (!result_timed(r) || (a->fastest != NULL && time_of(a->fastest) <= time_of(r)))
            continue;
        a->fastest = r;
        a->at = i;
    }
    return a->fastest != NULL;
}

/* Adds an answer, or puts it in the place of a slower one. */
static void add(struct answers *all, const struct answer *a)
{
    for (size_t i = 0; i < all->count; i++) {
        struct answer *old = &all->list[i];
        if (!same_problem(old, a) || !same_size(old, a) || !same_machine(old, a))
            continue;
        if (time_of(a->fastest) < time_of(old->fastest))
            *old = *a;
        return;
    }
    all->list[all->count++] = *a;
}

/* Is there another answer after this one for the same problem and machine?  Counts all of them. */
static bool has_later(const struct answers *all, size_t at, size_t *count)
{
    bool later = false;

    *count = 0;
    for (size_t i = 0; i < all->count; i++)
        if (same_problem(&all->list[i], &all->list[at]) && same_machine(&all->list[i], &all->list[at])) {
            ++*count;
            later |= i > at;
        }
    return later;
}

static struct answers find_answers(const struct report *r)
{
    struct answers all = {.count = 0};
    size_t tables = 0, count;

    for (size_t f = 0; f < r->file_count; f++)
        tables += r->files[f].table_count;
    all.list = calloc(tables + 1, sizeof *all.list);
    if (all.list == NULL)
        abort();
    for (size_t f = 0; f < r->file_count; f++)
        for (size_t t = 0; t < r->files[f].table_count; t++) {
            struct answer a = {.file = &r->files[f], .table = &r->files[f].tables[t]};
            if (all.count < ANSWERS && find_fastest(&a))
                add(&all, &a);
        }
    for (size_t i = 0; i < all.count; i++)
        all.list[i].left_out = has_later(&all, i, &count) && count > SIZES;
    return all;
}

/* --- the table -------------------------------------------------------------------------------- */

enum { C_FASTEST, C_TIME, C_FIRST, C_SINGLE, C_LIMIT, C_SIZE, C_MACHINE }; /* a phone shows the first three */

static bool several_machines(const struct answers *all)
{
    for (size_t i = 1; i < all->count; i++)
        if (!same_machine(&all->list[0], &all->list[i]))
            return true;
    return false;
}

static void set_ratio(struct grid *g, size_t column, const struct answer *a, enum role role)
{
    char text[32];

    table_ratio(&a->table->ladder.comparisons[a->at].e2e[role], text, sizeof text);
    text[strcspn(text, " ")] = '\0';
    if (text[0] != '\0')
        grid_set(g, column, "%s", text);
}

static void add_row(struct grid *g, const struct answer *a, bool machines)
{
    const struct result *r = a->fastest;
    char text[FACT_TEXT + 240];

    grid_row(g);
    report_name(g, r);
    report_size(r, text, sizeof text);
    grid_set(g, C_SIZE, "%s", text);
    grid_duration(g, C_TIME, time_of(r));
    set_ratio(g, C_FIRST, a, ROLE_FIRST);
    set_ratio(g, C_SINGLE, a, ROLE_SINGLE);
    const double share = result_peak_share(&r->bound_e2e, &r->time[PHASE_E2E]);
    table_peak(r->bound_e2e.name, share, text, sizeof text);
    if (text[0] != '\0') {
        grid_set(g, C_LIMIT, "%s", text + strspn(text, " "));
        grid_number(g, C_LIMIT, share);
        grid_cell(g, C_LIMIT)->share = share;
    }
    report_machine(run_of(a), text, sizeof text);
    if (machines)
        grid_set(g, C_MACHINE, "%s", text);
}

static void print_table(FILE *out, const struct answers *all)
{
    static const struct grid_column columns[] = {
        {"fastest", .left = true}, {.heading = "time"}, {.heading = "x first"}, {.heading = "x 1-core"},
        {.heading = "% of peak"}, {"size", .left = true}, {"machine", .left = true}};
    const bool machines = several_machines(all);
    struct grid g;

    grid_start(&g);
    grid_caption(&g, "The fastest variant of each problem");
    grid_columns(&g, columns, sizeof columns / sizeof *columns);
    for (size_t p = 0; p < all->count; p++) { /* problem by problem */
        bool earlier = false;
        for (size_t i = 0; i < p; i++)
            earlier |= same_problem(&all->list[i], &all->list[p]);
        for (size_t i = p; i < all->count && !earlier; i++)
            if (same_problem(&all->list[i], &all->list[p]) && !all->list[i].left_out)
                add_row(&g, &all->list[i], machines);
    }
    grid_print(&g, FORMAT_HTML, out);
    grid_free(&g);
}

/* --- the pictures ----------------------------------------------------------------------------- */

/* Prints a picture of a problem's last table, of the first machine. */
static void print_pictures(FILE *out, const struct answers *all, struct report_pictures *pictures)
{
    bool any = false;

    for (size_t i = 0; i < all->count; i++) {
        const struct answer *a = &all->list[i];
        bool earlier = false;
        size_t last = i;
        for (size_t j = 0; j < all->count; j++) {
            earlier |= j < i && same_problem(&all->list[j], a);
            if (j > i && same_problem(&all->list[j], a) && same_machine(&all->list[j], a))
                last = j;
        }
        if (earlier)
            continue;
        const struct answer *shown = &all->list[last];
        any |= report_picture(out, pictures, shown->file, shown->table, any ? "" : "<div class=plots>\n");
    }
    fputs(any ? "</div>\n" : "", out);
}

void report_answer(FILE *out, const struct report *r, struct report_pictures *pictures)
{
    struct answers all = find_answers(r);

    report_section(out, "answer", "Fastest");
    if (all.count == 0)
        fputs("<p>No variant has a time in these files.</p>\n", out);
    print_table(out, &all);
    print_pictures(out, &all, pictures);
    fputs("</section>\n", out);
    free(all.list);
}
