/* Section: the pictures that `rungs plot` draws, in the page itself. */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/plot.h"
#include "harness/report/html.h"
#include "harness/report/report.h"

enum { MOST_TABLES = 40 /* with a plot each; more are for rungs plot, and for sweeps */ };

/* --- a folder for a moment -------------------------------------------------------------------- */

static void remove_files(const char *folder)
{
    DIR *list = opendir(folder);
    const struct dirent *entry;

    while (list != NULL && (entry = readdir(list)) != NULL) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.')
            remove_files(path);
        else if (entry->d_type != DT_DIR)
            (void)unlink(path);
    }
    if (list != NULL)
        (void)closedir(list);
    (void)rmdir(folder);
}

static bool temporary_folder(char *path, size_t bytes)
{
    const char *place = getenv("TMPDIR");

    snprintf(path, bytes, "%s/rungs-report-XXXXXX", place != NULL ? place : "/tmp");
    return mkdtemp(path) != NULL;
}

/* --- pictures --------------------------------------------------------------------------------- */

/* The element as it stands, which rungs plot promises to be one that fits into a page. */
static bool print_svg(FILE *out, const char *folder, const char *name)
{
    char path[600], buffer[8192];
    size_t got;

    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    FILE *in = fopen(path, "rbe");
    if (in == NULL)
        return false;
    while ((got = fread(buffer, 1, sizeof buffer, in)) > 0)
        fwrite(buffer, 1, got, out);
    (void)fclose(in);
    return true;
}

static void print_kind(FILE *out, const struct plots *p, enum plot_kind kind)
{
    static const char *const headings[PLOT_KINDS] = {
        [PLOT_LADDER] = "Times",
        [PLOT_PHASES] = "What an end-to-end time consists of",
        [PLOT_SWEEP] = "Over the size",
        [PLOT_ROOFLINE] = "Under the ceilings of the machine",
        [PLOT_SCALING] = "Over threads or devices",
        [PLOT_HISTORY] = "From run to run",
    };

    bool any = false;

    for (size_t i = 0; i < p->count; i++) {
        if (p->list[i].kind != kind)
            continue;
        if (!any)
            html_print(out, "<h3>%s</h3>\n<div class=plots>\n", headings[kind]);
        any = true;
        html_print(out, "<figure aria-label=\"%s\">", p->list[i].title);
        if (!print_svg(out, p->folder, p->list[i].name))
            html_print(out, "<p class=mind>%s is missing.</p>", p->list[i].name);
        fputs("</figure>\n", out);
    }
    if (any)
        fputs("</div>\n", out);
}

static void print_both(FILE *out, const struct plots *others, const struct plots *by_table)
{
    if (others->count + by_table->count == 0)
        fputs("<p>There is nothing to draw here; rungs plot draws single tables.</p>\n", out);
    for (enum plot_kind kind = 0; kind < PLOT_KINDS; kind++) {
        print_kind(out, by_table, kind);
        print_kind(out, others, kind);
    }
}

/* Files with many tables, as a sweep's, have no picture a table; false: an error. */
static bool make_plots(const struct report *r, struct plots *by_table, struct plots *others,
                       struct error *error)
{
    const struct past *files[REPORT_FILES];
    size_t tables = 0, count = 0;

    for (size_t i = 0; i < r->file_count; i++) {
        if (tables + r->files[i].table_count > MOST_TABLES)
            continue;
        tables += r->files[i].table_count;
        files[count++] = &r->files[i].past;
    }
    others->kinds = 1u << PLOT_SWEEP | 1u << PLOT_HISTORY;
    by_table->kinds = ((1u << PLOT_KINDS) - 1) & ~others->kinds;
    by_table->drawn = true;
    by_table->brief = others->brief = true;
    if (count > 0 && !plots_make(by_table, files, count, error))
        return false;
    for (size_t i = 0; i < r->file_count; i++)
        files[i] = &r->files[i].past;
    return plots_make(others, files, r->file_count, error);
}

void report_plots(FILE *out, const struct report *r)
{
    char folder[256];
    struct plots by_table = {.folder = folder, .pictures = PICTURE_SVG}, others = by_table;
    struct error error = {.text = "no folder for temporary files"};

    if (r->no_plots)
        return;
    fputs("<section id=plots aria-labelledby=h-plots><h2 id=h-plots>Plots</h2>\n", out);
    const bool there = temporary_folder(folder, sizeof folder);
    if (!there || !make_plots(r, &by_table, &others, &error))
        html_print(out, "<p class=mind>The plots could not be drawn: %s</p>\n", error.text);
    else if (!by_table.drawn || !others.drawn)
        fputs("<p class=mind>The plots are missing, for want of gnuplot: apt-get install "
              "gnuplot-nox, and make the report again.</p>\n", out);
    else
        print_both(out, &others, &by_table);
    if (there)
        remove_files(folder);
    free(by_table.list);
    free(others.list);
    fputs("</section>\n", out);
}
