/* Section: the rungs of several files side by side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "harness/report/html.h"
#include "harness/report/report.h"
#include "harness/stats.h"

/* One rung at one size: the last cell of each file that has it. */
struct across {
    const struct past_cell *of[REPORT_FILES];
};

static struct across *across_of(struct across list[], json_t *known, const struct past_cell *c)
{
    char key[400], size[200], name[96];

    past_size(c, size, sizeof size);
    past_name(c, name, sizeof name);
    snprintf(key, sizeof key, "%s/%s %s %s", c->problem, name, size, c->math);
    if (json_object_get(known, key) == NULL)
        json_object_set_new(known, key, json_integer((json_int_t)json_object_size(known)));
    return &list[json_integer_value(json_object_get(known, key))];
}

static const struct past_cell *any(const struct across *a, size_t files)
{
    size_t f = 0;

    while (f + 1 < files && a->of[f] == NULL)
        f++;
    return a->of[f];
}

static double time_of(const struct past_cell *c)
{
    return c != NULL && past_timed(c) ? median_of(c->e2e.round, c->e2e.rounds) : NAN;
}

/* How many files have it. */
static size_t files_with(const struct across *a, size_t files)
{
    size_t count = 0;

    for (size_t f = 0; f < files; f++)
        count += a->of[f] != NULL;
    return count;
}

/* What several files have; `in`: these files have any of it. */
static void print_row(FILE *out, const struct report *r, const struct across *a, const bool in[])
{
    const struct past_cell *c = any(a, r->file_count);
    double best = NAN;
    size_t times = 0;
    char size[200], text[32];

    past_size(c, size, sizeof size);
    fputs("<tr><th scope=row>", out);
    report_link(out, c, true);
    html_print(out, "<td class=l>%s", size);
    for (size_t f = 0; f < r->file_count; f++) {
        best = fmin(best, time_of(a->of[f])); /* of a number and a NaN, the number */
        times += isfinite(time_of(a->of[f])) ? 1 : 0;
    }
    for (size_t f = 0; f < r->file_count; f++) {
        const double time = time_of(a->of[f]);
        if (!in[f])
            continue;
        report_duration(time, text, sizeof text);
        html_print(out, times > 1 && time <= best ? "<td class=f>%s" : "<td>%s",
                   text[0] == '\0' && a->of[f] != NULL ? a->of[f]->status : text);
    }
    fputs("</tr>\n", out);
}

static struct across *collect(const struct report *r, size_t *count)
{
    struct across *list = calloc(r->cell_count + 1, sizeof *list);
    json_t *known = json_object();

    if (list == NULL)
        abort();
    for (size_t f = 0; f < r->file_count; f++)
        for (size_t i = 0; i < r->files[f].past.cell_count; i++)
            across_of(list, known, &r->files[f].cells[i])->of[f] = &r->files[f].cells[i];
    *count = json_object_size(known);
    json_decref(known);
    return list;
}

bool report_is_combined(const struct report *r)
{
    size_t count, shared = 0;
    struct across *list = collect(r, &count);

    for (size_t i = 0; i < count; i++)
        shared += files_with(&list[i], r->file_count) > 1;
    free(list);
    return shared > 0;
}

void report_combined(FILE *out, const struct report *r)
{
    const char *headings[2 + REPORT_FILES] = {"rung", "size"};
    bool in[REPORT_FILES] = {false};
    size_t count, shared = 0;
    struct across *list = collect(r, &count);

    for (size_t i = 0; i < count; i++) {
        if (files_with(&list[i], r->file_count) < 2)
            continue;
        list[shared++] = list[i];
        for (size_t f = 0; f < r->file_count; f++)
            in[f] |= list[i].of[f] != NULL;
    }
    for (size_t f = 0; f < r->file_count; f++)
        headings[2 + f] = in[f] ? r->files[f].name : NULL;
    if (shared > 0) {
        fputs("<section id=combined aria-labelledby=h-combined>"
              "<h2 id=h-combined>Side by side</h2>\n<p>What is in several of these files: medians end "
              "to end; the fastest of a row is in green. Different machines are not compared any "
              "closer than that.</p>\n", out);
        report_table_start(out, "Time end to end, by file", headings, 2 + r->file_count, 3);
        for (size_t i = 0; i < shared; i++)
            print_row(out, r, &list[i], in);
        report_table_end(out);
        fputs("</section>\n", out);
    }
    free(list);
}
