/* The second section: failures, flags, and what was not measured. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "harness/base/html.h"
#include "harness/records/caveats.h"
#include "harness/report/report.h"
#include "harness/table/columns.h"

enum {
    NAMED = 60, /* at most so many variants in a list; the filter of the page finds the others */
    MANY = 5    /* so many results with the same reason become one list, not a row each */
};

enum { ALL_FILES = REPORT_FILES };

typedef bool test(const struct result *result, const void *what);

static size_t count_in(const struct report *r, size_t file, test *is, const void *what)
{
    size_t count = 0;

    for (size_t i = 0; i < r->result_count; i++)
        if (file == ALL_FILES || file == r->results[i].file)
            count += is(r->results[i].is, what);
    return count;
}

static size_t count_all(const struct report *r, test *is, const void *what)
{
    return count_in(r, ALL_FILES, is, what);
}

/* --- tests of a result ------------------------------------------------------------------------ */

static bool failed(const struct result *result, const void *what)
{
    (void)what;
    return outcome_failed(result->fate.outcome);
}

static bool timed(const struct result *result, const void *what)
{
    (void)what;
    return result_timed(result);
}

static bool left_out(const struct result *result, const void *what)
{
    (void)what;
    return result->fate.outcome != OUTCOME_OK && !outcome_failed(result->fate.outcome);
}

/* Left out for the same reason as the result `what`? */
static bool left_out_likewise(const struct result *result, const void *what)
{
    const struct result *like = what;

    return left_out(result, NULL) && result->fate.outcome == like->fate.outcome &&
           strcmp(result->fate.reason, like->fate.reason) == 0;
}

/* Left out for a reason that few results share?  `what`: the report. */
static bool left_out_alone(const struct result *result, const void *what)
{
    return left_out(result, NULL) && count_all(what, left_out_likewise, result) < MANY;
}

/* Has it one of these flags?  `what`: one bit for each. */
static bool flagged(const struct result *result, const void *what)
{
    return result_timed(result) && result->flags & *(const unsigned *)what;
}

/* So far above 100 % of peak that tables mark it? */
static bool above_peak(const struct result *result, const void *what)
{
    const double run = result_peak_share(&result->bound_run, &result->time[PHASE_RUN]);
    const double e2e = result_peak_share(&result->bound_e2e, &result->time[PHASE_E2E]);

    (void)what;
    return result_timed(result) && fmax(run, e2e) > 1.01; /* ignores NaN */
}

/* --- rows and names --------------------------------------------------------------------------- */

static void print_failures(FILE *out, const struct report *r, test *is, const char *caption)
{
    static const char *const headings[] = {"variant", "size", "check", "reason", "file"};
    struct grid g;
    char size[240];

    grid_start(&g);
    grid_caption(&g, "%s", caption);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        grid_column(&g, headings[i], true);
    for (size_t i = 0; i < r->result_count; i++) {
        const struct result *result = r->results[i].is;
        if (!is(result, r))
            continue;
        grid_row(&g)->tone = columns_tone(result->fate.outcome);
        report_name(&g, result);
        report_size(result, size, sizeof size);
        grid_set(&g, 1, "%s", size);
        grid_set(&g, 2, "%s", outcome_names[result->fate.outcome]);
        grid_set(&g, 3, "%s", result->fate.reason);
        grid_set(&g, 4, "%s:%zu", r->files[r->results[i].file].name, result->line);
    }
    grid_print(&g, FORMAT_HTML, out);
    grid_free(&g);
}

/* Prints a name as a link to its variant's section, if the name can be an id. */
static void print_name(FILE *out, const struct result *result)
{
    const bool linked = html_is_id(result->problem) && html_is_id(result->variant);
    char size[200];

    result_size(result, size, sizeof size);
    if (linked)
        html_print(out, "<a href=\"#%s.%s\">", result->problem, result->variant);
    html_print(out, "%s/%s", result->problem, result_name(result).text);
    /* S, M, L, XL; other labels ("given", "sweep") do not tell sizes apart. */
    html_print(out, linked ? "</a> <small>%s</small>" : " <small>%s</small>",
               isupper((unsigned char)result->label[0]) ? result->label : size);
}

static void print_names(FILE *out, const struct report *r, test *is, const void *what)
{
    const size_t count = count_all(r, is, what);
    size_t named = 0;

    fputs("<p class=names>", out);
    for (size_t i = 0; i < r->result_count && named < NAMED; i++)
        if (is(r->results[i].is, what)) {
            fputs(named++ > 0 ? ", " : "", out);
            print_name(out, r->results[i].is);
        }
    if (count > named)
        html_print(out, ", and %zu more", count - named);
    fputs("</p>\n", out);
}

/* --- variants with a time ------------------------------------------------------------------------ */

/* The flags that have a letter in tables. */
static unsigned shown_flags(void)
{
    unsigned flags = 0;

    for (int i = 0; i < FLAGS; i++)
        flags |= flag_letters[i] != '\0' ? 1u << i : 0;
    return flags;
}

static void print_flags(FILE *out, const struct report *r)
{
    const unsigned all = shown_flags();

    if (count_all(r, flagged, &all) == 0)
        return;
    fputs("<h3>Flags</h3>\n<dl>\n", out);
    for (int i = 0; i < FLAGS; i++) {
        const unsigned flag = all & 1u << i;
        const char letter[] = {flag_letters[i], '\0'};
        const size_t count = count_all(r, flagged, &flag);
        if (count == 0)
            continue;
        html_print(out, "<dt><b class=flag>%s</b> %s: %zu<dd>%s\n", letter, flag_names[i], count,
                   flag_meanings[i]);
        print_names(out, r, flagged, &flag);
    }
    fputs("</dl>\n", out);
}

static void print_above(FILE *out, const struct report *r)
{
    if (count_all(r, above_peak, NULL) == 0)
        return;
    fputs("<h3>Above 100 % of peak</h3>\n<p>No variant can exceed the true peak. Each of these has one "
          "of four causes: the data came from a nearer cache than the one that was counted "
          "(\">100%\"); kernels overlapped, which they do not when launches are measured "
          "(\">100% launch\"); the clock was higher than when the peak was measured, or the measured "
          "peak was too low; or a mistake in the count of the work or in the time (\"?\").</p>\n", out);
    print_names(out, r, above_peak, NULL);
}

/* --- variants that were left out ----------------------------------------------------------------- */

/* Is it the first of the results with its reason? */
static bool is_first(const struct report *r, const struct result *result)
{
    size_t i = 0;

    while (!left_out_likewise(r->results[i].is, result))
        i++;
    return r->results[i].is == result;
}

/* Lists results that share a reason: without a GPU, a hundred variants have the same one. */
static bool print_reasons(FILE *out, const struct report *r)
{
    bool any = false;

    for (size_t i = 0; i < r->result_count; i++) {
        const struct result *result = r->results[i].is;
        const size_t file = r->results[i].file;
        const bool asked = left_out(result, NULL) && is_first(r, result);
        const size_t count = asked ? count_all(r, left_out_likewise, result) : 0;
        if (count < MANY)
            continue;
        fputs(any ? "" : "<h3>Not measured</h3>\n<dl>\n", out);
        html_print(out, "<dt>%s: %zu<dd>%s", outcome_names[result->fate.outcome], count,
                   result->fate.reason);
        if (r->file_count > 1 && count_in(r, file, left_out_likewise, result) == count)
            html_print(out, " <small>%s</small>", r->files[file].name);
        fputs("\n", out);
        print_names(out, r, left_out_likewise, result);
        any = true;
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
                html_print(out, "<p class=bad>%s: run %s was interrupted: its end is not recorded."
                                "</p>\n", r->files[f].past.file, r->files[f].past.runs[i].id);
}

static void print_tally(FILE *out, const struct report *r)
{
    const size_t wrong = count_all(r, failed, NULL);
    const unsigned flags = shown_flags();

    html_print(out, "<p class=tally><b>%zu</b> measurement%s: <b>%zu</b> with a time, "
                    "<b class=%s>%zu</b> failed, <b>%zu</b> could not be measured, <b>%zu</b> "
                    "flagged, <b>%zu</b> above 100 %% of peak.</p>\n",
               r->result_count, r->result_count == 1 ? "" : "s", count_all(r, timed, NULL),
               wrong > 0 ? "bad" : "good", wrong, count_all(r, left_out, NULL),
               count_all(r, flagged, &flags), count_all(r, above_peak, NULL));
}

void report_summary(FILE *out, const struct report *r)
{
    report_section(out, "attention", "Failures and flags");
    print_tally(out, r);
    print_interrupted(out, r);
    print_failures(out, r, failed, "Failed");
    print_flags(out, r);
    print_above(out, r);
    const bool some = print_reasons(out, r);
    print_failures(out, r, left_out_alone, some ? "Not measured, other reasons" : "Not measured");
    fputs("</section>\n", out);
}
