/* rungs report: writes an HTML page about files of records. */
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
           error_set(error, "%zu files; a report takes %d at most", o->patterns.count, REPORT_FILES);
}

/* Overwrites only an older report, so that a slip of the keyboard does not destroy records. */
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
           error_set(error, "%s exists and is not a report; name another file with --out", name);
}

/* Makes the page in memory, because its length is not known in advance and --out may be a pipe. */
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
    .about = "make an HTML page from files of records",
    .help = "bench and sweep write files of records to results/.  The page is a single HTML file that\n"
            "needs no network: failures and flags, the machine, tables that sort and filter, pictures,\n"
            "each variant's idea, its source and how it differs from its base, and the records to\n"
            "download.  Several files are shown side by side.\n",
    .words = "FILE",
    .run = run,
};
