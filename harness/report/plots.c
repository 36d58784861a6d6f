/* The section with the pictures of `rungs plot`, as SVG within the page. */
#define _GNU_SOURCE
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/plots/plot.h"
#include "harness/base/html.h"
#include "harness/report/report.h"

enum { MOST_TABLES = 40 /* with a plot each; files that go beyond it have none for each table */ };

/* --- a temporary folder ----------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    (void)remove(path);
    return 0;
}

static bool temporary_folder(char *path, size_t bytes)
{
    const char *place = getenv("TMPDIR");

    snprintf(path, bytes, "%s/rungs-report-XXXXXX", place != NULL ? place : "/tmp");
    return mkdtemp(path) != NULL;
}

/* --- pictures --------------------------------------------------------------------------------- */

/* Copies the picture unchanged: plot.h says that it fits into a page. */
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

static void print_kind(FILE *out, const struct plots *p, const struct script *kind)
{
    char heading[SCRIPT_VALUE];
    bool any = false;

    for (size_t i = 0; i < p->count; i++) {
        if (p->list[i].kind != kind)
            continue;
        if (!any && !scripts_say(kind, "heading", heading))
            snprintf(heading, sizeof heading, "%s", kind->name);
        if (!any)
            html_print(out, "<h3>%s</h3>\n<div class=plots>\n", heading);
        any = true;
        html_print(out, "<figure aria-label=\"%s\">", p->list[i].title);
        if (!print_svg(out, p->folder, p->list[i].name))
            html_print(out, "<p class=warning>%s is missing.</p>", p->list[i].name);
        fputs("</figure>\n", out);
    }
    if (any)
        fputs("</div>\n", out);
}

static void print_both(FILE *out, const struct plots *others, const struct plots *by_table)
{
    const struct scripts *scripts = others->scripts;

    if (others->count + by_table->count == 0)
        fputs("<p>There are no plots for these records; rungs plot draws single tables.</p>\n", out);
    for (size_t i = 0; i < scripts->kinds; i++) {
        print_kind(out, by_table, &scripts->list[i]);
        print_kind(out, others, &scripts->list[i]);
    }
}

/* Draws the pictures.  Files with many tables, such as sweeps, get none for each table. */
static bool make_plots(const struct report *r, struct plots *by_table, struct plots *others,
                       struct error *error)
{
    const struct records *files[REPORT_FILES];
    size_t tables = 0, count = 0;

    for (size_t i = 0; i < r->file_count; i++) {
        if (tables + r->files[i].table_count > MOST_TABLES)
            continue;
        tables += r->files[i].table_count;
        files[count++] = &r->files[i].past;
    }
    by_table->scope = PLOTS_OF_TABLES;
    others->scope = PLOTS_OF_SEVERAL;
    by_table->drawn = true;
    if (count > 0 && !plots_make(by_table, files, count, error))
        return false;
    for (size_t i = 0; i < r->file_count; i++)
        files[i] = &r->files[i].past;
    return plots_make(others, files, r->file_count, error);
}

void report_plots(FILE *out, const struct report *r)
{
    char folder[256];
    struct scripts scripts = {.count = 0};
    struct plots by_table = {.folder = folder, .scripts = &scripts, .brief = true,
                             .pictures = PICTURE_SVG}, others = by_table;
    struct error error = {.text = "no folder for temporary files"};

    if (r->no_plots)
        return;
    report_section(out, "plots", "Plots");
    const bool there = temporary_folder(folder, sizeof folder);
    if (!there || !scripts_read(&scripts, &error) || !make_plots(r, &by_table, &others, &error))
        html_print(out, "<p class=warning>The plots could not be drawn: %s</p>\n", error.text);
    else if (!by_table.drawn || !others.drawn)
        fputs("<p class=warning>The plots are missing, because gnuplot is not installed: apt-get install "
              "gnuplot-nox, and make the report again.</p>\n", out);
    else
        print_both(out, &others, &by_table);
    if (there)
        (void)nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(by_table.list);
    free(others.list);
    scripts_free(&scripts);
    fputs("</section>\n", out);
}
