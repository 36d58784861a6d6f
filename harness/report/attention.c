/* Section: what a reader must know before the numbers: failures, flags, what cannot be. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "harness/report/html.h"
#include "harness/report/report.h"
#include "harness/table.h"

enum {
    NAMED = 60, /* rungs in a list; the filter finds the others */
    MANY = 5    /* that were left out for one reason: a list, not a row each */
};

typedef bool test(const struct past_cell *c, const void *what);

static size_t count_cells(const struct report *r, test *is, const void *what)
{
    size_t count = 0;

    for (size_t f = 0; f < r->file_count; f++)
        for (size_t i = 0; i < r->files[f].past.cell_count; i++)
            count += is(&r->files[f].cells[i], what);
    return count;
}

/* --- rungs without a time --------------------------------------------------------------------- */

static bool failed(const struct past_cell *c, const void *what)
{
    (void)what;
    return report_failed(c);
}

static bool left_out(const struct past_cell *c, const void *what)
{
    (void)what;
    return strcmp(c->status, "ok") != 0 && !report_failed(c);
}

/* For the same reason as the cell `what`. */
static bool left_out_likewise(const struct past_cell *c, const void *what)
{
    const struct past_cell *like = what;

    return left_out(c, NULL) && strcmp(c->status, like->status) == 0 &&
           strcmp(c->reason, like->reason) == 0;
}

static void print_failures(FILE *out, const struct report *r, test *is, const char *caption,
                           const char *class)
{
    static const char *const headings[] = {"rung", "size", "check", "reason", "file"};
    char size[200];
    size_t rows = 0;

    for (size_t f = 0; f < r->file_count; f++)
        for (size_t i = 0; i < r->files[f].past.cell_count; i++)
            rows += is(&r->files[f].cells[i], r);
    if (rows == 0)
        return;
    report_table_start(out, caption, headings, sizeof headings / sizeof *headings, ~0u);
    for (size_t f = 0; f < r->file_count; f++)
        for (size_t i = 0; i < r->files[f].past.cell_count; i++) {
            const struct past_cell *c = &r->files[f].cells[i];
            if (!is(c, r))
                continue;
            past_size(c, size, sizeof size);
            html_print(out, "<tr class=%s><th scope=row>", class);
            report_link(out, c, true);
            html_print(out, "<td class=l>%s%s%s<td class=l>%s<td class=l>%s"
                            "<td class=l>%s:%zu</tr>\n", c->label,
                       c->label[0] != '\0' ? ": " : "", size, c->status, c->reason,
                       r->files[f].name, c->line);
        }
    report_table_end(out);
}

/* --- rungs with a time and a flag ------------------------------------------------------------- */

static bool flagged(const struct past_cell *c, const void *what)
{
    return past_timed(c) && report_has_flag(c, *(const enum flag *)what);
}

static double most_of_limit(const struct past_cell *c)
{
    const double whole = report_share(&c->limit_e2e, &c->e2e);

    return c->resident.device ? fmax(report_share(&c->limit_run, &c->resident), whole) : whole;
}

/* From where on a table has a word behind the number. */
static bool above_limit(const struct past_cell *c, const void *what)
{
    (void)what;
    return past_timed(c) && most_of_limit(c) > 1.01;
}

static void print_names(FILE *out, const struct report *r, test *is, const void *what)
{
    size_t named = 0, count = count_cells(r, is, what);
    char size[200];

    fputs("<p class=names>", out);
    for (size_t f = 0; f < r->file_count; f++)
        for (size_t i = 0; i < r->files[f].past.cell_count && named < NAMED; i++) {
            const struct past_cell *c = &r->files[f].cells[i];
            if (!is(c, what))
                continue;
            fputs(named++ > 0 ? ", " : "", out);
            report_link(out, c, true);
            past_size(c, size, sizeof size);
            /* S, M, L, XL; others ("given", "sweep") would be the same for all sizes. */
            html_print(out, " <small>%s</small>", isupper((unsigned char)c->label[0]) ? c->label : size);
        }
    if (count > named)
        html_print(out, ", and %zu more", count - named);
    fputs("</p>\n", out);
}

static void print_flags(FILE *out, const struct report *r)
{
    size_t all = 0;

    for (enum flag i = 0; i < FLAGS; i++)
        all += flag_letters[i] != '\0' ? count_cells(r, flagged, &i) : 0;
    if (all == 0)
        return;
    fputs("<h3>Flags</h3>\n<dl>\n", out);
    for (enum flag i = 0; i < FLAGS; i++) {
        const size_t count = flag_letters[i] != '\0' ? count_cells(r, flagged, &i) : 0;
        const char letter[] = {flag_letters[i], '\0'};
        if (count == 0)
            continue;
        html_print(out, "<dt><b class=flag>%s</b> %s: %zu<dd>%s\n", letter, flag_names[i], count,
                   flag_meanings[i]);
        print_names(out, r, flagged, &i);
    }
    fputs("</dl>\n", out);
}

static void print_above(FILE *out, const struct report *r)
{
    if (count_cells(r, above_limit, NULL) == 0)
        return;
    fputs("<h3>Above 100 % of limit</h3>\n<p>Nothing can be faster than its limit, so each of "
          "these is one of four: the data came out of a nearer cache than the one that was "
          "counted (\"cached\"); a kernel began before the one ahead of it had ended, as none does "
          "when launches are measured (\"overlapped\"); the clock was higher than when the ceiling was measured, or the "
          "ceiling was not the highest; or a mistake, in the count of the work or in the time "
          "(\"?\").</p>\n", out);
    print_names(out, r, above_limit, NULL);
}

/* --- rungs that were left out ----------------------------------------------------------------- */

static bool left_out_alone(const struct past_cell *c, const void *what)
{
    return left_out(c, NULL) && count_cells(what, left_out_likewise, c) < MANY;
}

/* The first of those that it shares its reason with? */
static bool is_first(const struct report *r, const struct past_cell *c)
{
    for (size_t f = 0; f < r->file_count; f++)
        for (size_t i = 0; i < r->files[f].past.cell_count; i++)
            if (left_out_likewise(&r->files[f].cells[i], c))
                return &r->files[f].cells[i] == c;
    return false;
}

static size_t count_in(const struct report_file *file, const struct past_cell *c)
{
    size_t count = 0;

    for (size_t i = 0; i < file->past.cell_count; i++)
        count += left_out_likewise(&file->cells[i], c);
    return count;
}

/* A laptop has no card, and a hundred rungs that say so: one entry for them all. */
static bool print_reasons(FILE *out, const struct report *r)
{
    bool any = false;

    for (size_t f = 0; f < r->file_count; f++)
        for (size_t i = 0; i < r->files[f].past.cell_count; i++) {
            const struct past_cell *c = &r->files[f].cells[i];
            const size_t count = left_out(c, NULL) && is_first(r, c) ?
                                     count_cells(r, left_out_likewise, c) : 0;
            if (count < MANY)
                continue;
            fputs(any ? "" : "<h3>Not measured</h3>\n<dl>\n", out);
            any = true;
            html_print(out, "<dt>%s: %zu<dd>%s", c->status, count, c->reason);
            if (r->file_count > 1 && count_in(&r->files[f], c) == count)
                html_print(out, " <small>%s</small>", r->files[f].name);
            fputs("\n", out);
            print_names(out, r, left_out_likewise, c);
        }
    fputs(any ? "</dl>\n" : "", out);
    return any;
}

/* --- the section ------------------------------------------------------------------------------ */

static void print_interrupted(FILE *out, const struct report *r)
{
    for (size_t f = 0; f < r->file_count; f++)
        for (size_t i = 0; i < r->files[f].past.run_count; i++)
            if (!r->files[f].past.runs[i].ended)
                html_print(out, "<p class=bad>%s: run %s was interrupted, since it has no end."
                                "</p>\n", r->files[f].past.file, r->files[f].past.runs[i].id);
}

static bool timed(const struct past_cell *c, const void *what)
{
    (void)what;
    return past_timed(c);
}

static void print_summary(FILE *out, const struct report *r)
{
    size_t wrong = count_cells(r, failed, NULL), flags = 0;

    for (size_t f = 0; f < r->file_count; f++)
        for (size_t i = 0; i < r->files[f].past.cell_count; i++) {
            bool any = false;
            for (enum flag flag = 0; flag < FLAGS; flag++)
                any |= flag_letters[flag] != '\0' && flagged(&r->files[f].cells[i], &flag);
            flags += any;
        }
    html_print(out, "<p class=tally><b>%zu</b> measurement%s: <b>%zu</b> with a time, "
                    "<b class=%s>%zu</b> failed, <b>%zu</b> could not be measured, <b>%zu</b> "
                    "flagged, <b>%zu</b> above 100 %% of limit.</p>\n",
               r->cell_count, r->cell_count == 1 ? "" : "s", count_cells(r, timed, NULL), wrong > 0 ? "bad" : "good", wrong,
               count_cells(r, left_out, NULL), flags, count_cells(r, above_limit, NULL));
}

void report_attention(FILE *out, const struct report *r)
{
    fputs("<section id=attention aria-labelledby=h-attention>"
          "<h2 id=h-attention>First of all</h2>\n", out);
    print_summary(out, r);
    print_interrupted(out, r);
    print_failures(out, r, failed, "Failed", "bad");
    print_flags(out, r);
    print_above(out, r);
    const bool some = print_reasons(out, r);
    print_failures(out, r, left_out_alone, some ? "Not measured, either" : "Not measured", "not");
    fputs("</section>\n", out);
}
