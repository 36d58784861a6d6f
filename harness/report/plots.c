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

/* --- all pictures ----------------------------------------------------------------------------- */

struct report_pictures {
    char folder[256];
    bool there;             /* the folder */
    struct scripts scripts;
    struct plots by_table, others;
    const struct plot **printed; /* pictures that are in the page already */
    size_t printed_count;
    bool fine;              /* false: the error says why */
    struct error error;
};

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

struct report_pictures *report_draw(const struct report *r)
{
    struct report_pictures *p = r->no_plots ? NULL : calloc(1, sizeof *p);

    if (r->no_plots)
        return NULL;
    if (p == NULL)
        abort();
    error_set(&p->error, "no folder for temporary files");
    p->by_table = (struct plots){.folder = p->folder, .scripts = &p->scripts, .brief = true, .pictures = PICTURE_SVG};
    p->others = p->by_table;
    p->there = temporary_folder(p->folder, sizeof p->folder);
    p->fine = p->there && scripts_read(&p->scripts, &p->error) &&
              make_plots(r, &p->by_table, &p->others, &p->error);
    p->printed = calloc(p->by_table.count + 1, sizeof *p->printed);
    if (p->printed == NULL)
        abort();
    return p;
}

void report_pictures_free(struct report_pictures *p)
{
    if (p == NULL)
        return;
    if (p->there)
        (void)nftw(p->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(p->by_table.list);
    free(p->others.list);
    free(p->printed);
    scripts_free(&p->scripts);
    free(p);
}

static bool are_drawn(const struct report_pictures *p)
{
    return p->fine && p->by_table.drawn && p->others.drawn;
}

/* --- one picture ------------------------------------------------------------------------------ */

static void print_figure(FILE *out, const struct report_pictures *p, const struct plot *plot)
{
    html_print(out, "<figure aria-label=\"%s\">", plot->title);
    if (!print_svg(out, p->folder, plot->name))
        html_print(out, "<p class=warning>%s is missing.</p>", plot->name);
    fputs("</figure>\n", out);
}

static bool is_printed(const struct report_pictures *p, const struct plot *plot)
{
    for (size_t i = 0; i < p->printed_count; i++)
        if (p->printed[i] == plot)
            return true;
    return false;
}

static bool shows(const struct plot *plot, const struct report_file *f, const struct report_table *t)
{
    for (size_t i = 0; i < t->count && strcmp(plot->file, f->past.file) == 0; i++)
        if (t->results[i]->line == plot->line)
            return true;
    return false;
}

bool report_picture(FILE *out, struct report_pictures *p, const struct report_file *f,
                    const struct report_table *t, const char *before)
{
    if (p == NULL || !are_drawn(p))
        return false;
    for (size_t i = 0; i < p->by_table.count; i++) {
        const struct plot *plot = &p->by_table.list[i];
        if (strcmp(plot->kind->name, "ladder") != 0 || !shows(plot, f, t))
            continue;
        fputs(before, out);
        print_figure(out, p, plot);
        p->printed[p->printed_count++] = plot;
        return true;
    }
    return false;
}

/* --- the section ------------------------------------------------------------------------------ */

static void print_kind(FILE *out, const struct report_pictures *p, const struct plots *of, const struct script *kind)
{
    char heading[SCRIPT_VALUE];
    bool any = false;

    for (size_t i = 0; i < of->count; i++) {
        if (of->list[i].kind != kind || is_printed(p, &of->list[i]))
            continue;
        if (!any && !scripts_say(kind, "heading", heading))
            snprintf(heading, sizeof heading, "%s", kind->name);
        if (!any)
            html_print(out, "<h3>%s</h3>\n<div class=plots>\n", heading);
        any = true;
        print_figure(out, p, &of->list[i]);
    }
    if (any)
        fputs("</div>\n", out);
}

static void print_all(FILE *out, const struct report_pictures *p)
{
    const size_t count = p->others.count + p->by_table.count;

    if (count == 0)
        fputs("<p>There are no plots for these records; rungs plot draws single tables.</p>\n", out);
    else if (count == p->printed_count)
        fputs("<p>All plots are in the first section.</p>\n", out);
    for (size_t i = 0; i < p->scripts.kinds; i++) {
        print_kind(out, p, &p->by_table, &p->scripts.list[i]);
        print_kind(out, p, &p->others, &p->scripts.list[i]);
    }
}

void report_plots(FILE *out, const struct report_pictures *p)
{
    if (p == NULL)
        return;
    report_section(out, "plots", "Plots");
    if (!p->fine)
        html_print(out, "<p class=warning>The plots could not be drawn: %s</p>\n", p->error.text);
    else if (!are_drawn(p))
        fputs("<p class=warning>The plots are missing, because gnuplot is not installed: apt-get install "
              "gnuplot-nox, and make the report again.</p>\n", out);
    else
        print_all(out, p);
    fputs("</section>\n", out);
}
