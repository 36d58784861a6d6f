/* rungs report: a page about files of records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/commands/command.h"
#include "harness/files/outfile.h"
#include "harness/report/report.h"

static const char begins[] = "<!doctype html>";

static bool arguments_fit(const struct options *o, struct error *error)
{
    if (o->patterns.count == 0)
        return error_set(error, "report takes one file of records or several: report FILE...");
    return o->patterns.count <= REPORT_FILES ||
           error_set(error, "%zu files; a report is of %d at most", o->patterns.count, REPORT_FILES);
}

/* A report takes the place of an older one, and of nothing else: least of all of records. */
static bool may_replace(const char *name, struct error *error)
{
    char start[sizeof begins] = "";
    struct stat status;

    if (stat(name, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
        return true;
    FILE *in = fopen(name, "rbe");
    if (in != NULL) {
        size_t got = fread(start, 1, sizeof begins - 1, in);
        start[got] = '\0';
        (void)fclose(in);
    }
    return strcmp(start, begins) == 0 ||
           error_set(error, "%s: is there and no report; --out names another", name);
}

/* In memory, since it may be written to a pipe. */
static char *make_page(const struct report *r, size_t *bytes)
{
    char *page = NULL;
    FILE *out = open_memstream(&page, bytes);

    if (out == NULL)
        abort();
    report_page(out, r);
    if (fclose(out) != 0)
        abort();
    return page;
}

static bool write_page(const char *name, const struct report *r, size_t *bytes, struct error *error)
{
    struct outfile out;

    if (!may_replace(name, error) || !outfile_open(&out, name, error))
        return false;
    char *page = make_page(r, bytes);
    outfile_write(&out, page, *bytes);
    free(page);
    return outfile_close(&out, error);
}

static int run(const struct options *o)
{
    const char *name = o->out != NULL ? o->out : "report.html";
    struct report r;
    struct error error;
    size_t bytes = 0;

    if (!arguments_fit(o, &error) || !report_read(&r, o->patterns.word, o->patterns.count, &error))
        return usage_error(&error);
    r.no_plots = o->no_plots;
    bool written = write_page(name, &r, &bytes, &error);
    if (written)
        fprintf(stderr, "%s: %zu measurement%s of %zu variant%s, %zu kB\n", name, r.result_count,
                r.result_count == 1 ? "" : "s", r.variant_count, r.variant_count == 1 ? "" : "s",
                (bytes + 999) / 1000);
    report_free(&r);
    return written ? STATUS_OK : usage_error(&error);
}

const struct command command_report = {
    .name = "report",
    .usage = "report FILE... [--out report.html] [--no-plots]",
    .about = "make a page of files of records: tables, sources, the records themselves",
    .help = "Files of records are what bench and sweep write to results/.  The page is one file\n"
            "that needs nothing else, no network either: failures and flags first, the machine,\n"
            "tables that sort and filter, pictures, each variant's idea and source and how it differs\n"
            "from its base, and the records, to be saved.  Several files are shown side by side as\n"
            "well.\n",
    .words = "FILE",
    .run = run,
};
