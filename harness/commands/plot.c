/* rungs plot: draws pictures of records. */
#define _GNU_SOURCE
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/folders.h"
#include "harness/base/text.h"
#include "harness/ceilings/ceilings.h"
#include "harness/commands/command.h"
#include "harness/plots/plot.h"

/* --- arguments -------------------------------------------------------------------------------- */

/* Finds the script of that name; "all" gives NULL. */
static bool find_kind(const char *word, const struct scripts *scripts, const char **kind,
                      struct error *error)
{
    const char *nearest = "all";

    *kind = NULL;
    for (size_t i = 0; i < scripts->kinds && *kind == NULL; i++) {
        const char *name = scripts->list[i].name;
        if (strcmp(word, name) == 0)
            *kind = name;
        if (edit_distance(word, name) < edit_distance(word, nearest))
            nearest = name;
    }
    return *kind != NULL || strcmp(word, "all") == 0 ||
           error_set(error, "there is no plot %s; did you mean %s?", word, nearest);
}

/* results/a.jsonl: results/a-plots */
static char *usual_folder(const char *file)
{
    const char *slash = strrchr(file, '/'), *dot = strrchr(slash != NULL ? slash : file, '.');
    char *folder = NULL;

    if (asprintf(&folder, "%.*s-plots", (int)(dot != NULL ? dot - file : (long)strlen(file)),
                 file) < 0)
        abort();
    return folder;
}

/* --- files ------------------------------------------------------------------------------------ */

struct files {
    size_t count;
    struct records past[2 * MAX_WORDS];
    const struct records *list[2 * MAX_WORDS];
    char *ceilings[2 * MAX_WORDS]; /* name of a ceilings file that the user did not name, or NULL */
};

static bool has_ceilings_of(const struct files *f, const struct run *run)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->past[i].ceiling_count > 0 && plots_same_machine(&f->past[i].runs[0], run))
            return true;
    return false;
}

/* Ranks ceilings for a run: 0: of another machine; those of its own build come first, then those of more resources. */
static size_t rank(const struct records *p, const struct run *run)
{
    const struct run *by = &p->runs[0];
    const bool same = strcmp(by->compiler, run->compiler) == 0 && strcmp(by->flags, run->flags) == 0;

    return p->ceiling_count == 0 || !plots_same_machine(by, run) ? 0 : p->ceiling_count + (same ? MAX_CEILINGS : 0);
}

/* Looks for ceilings of the same machine.  Other and damaged files are skipped, because the user did not name
   them. */
static void find_ceilings(struct files *f, const char *pattern, const struct run *run)
{
    struct error error;
    glob_t found;
    size_t best = 0, chosen = 0;

    if (has_ceilings_of(f, run) || glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct records p;
        if (!records_read(found.gl_pathv[i], &p, &error))
            continue;
        const size_t its = rank(&p, run);
        chosen = its > best ? i : chosen;
        best = its > best ? its : best;
        records_free(&p);
    }
    char *file = strdup(found.gl_pathv[chosen]); /* the records keep this pointer */
    if (file == NULL)
        abort();
    if (best > 0 && records_read(file, &f->past[f->count], &error))
        f->ceilings[f->count++] = file;
    else
        free(file);
    globfree(&found);
}

/* Looks in the folder of the records, then in the user's cache folder. */
static void add_ceilings(struct files *f, const char *name, const struct run *run)
{
    const char *slash = strrchr(name, '/');
    char pattern[PATH_MAX];

    snprintf(pattern, sizeof pattern, "%.*s*ceilings*.jsonl", slash != NULL ? (int)(slash + 1 - name) : 0, name);
    find_ceilings(f, pattern, run);
    if (folders_cache("ceilings-*.jsonl", pattern, sizeof pattern))
        find_ceilings(f, pattern, run);
}

static bool read_files(struct files *f, const struct options *o, struct error *error)
{
    for (size_t i = 0; i < 2 * MAX_WORDS; i++)
        f->list[i] = &f->past[i];
    for (size_t i = 1; i < o->patterns.count; i++, f->count++)
        if (!records_read(o->patterns.word[i], &f->past[f->count], error))
            return false;
    for (size_t i = 1; i < o->patterns.count; i++) {
        const struct run *run = &f->past[i - 1].runs[0];
        if (!has_ceilings_of(f, run))
            add_ceilings(f, o->patterns.word[i], run);
    }
    return true;
}

static void free_files(struct files *f)
{
    for (size_t i = 0; i < f->count; i++) {
        records_free(&f->past[i]);
        free(f->ceilings[i]);
    }
}

/* --- the command ------------------------------------------------------------------------------ */

/* Prints what a kind of plot needs, from the comment in its script; for `all`, the first one's. */
static void say_what_is_missing(const struct plots *p)
{
    char otherwise[SCRIPT_VALUE] = "";

    for (size_t i = 0; i < p->scripts->kinds; i++) {
        const struct script *kind = &p->scripts->list[i];
        if ((p->kind == NULL || strcmp(p->kind, kind->name) == 0) &&
            scripts_say(kind, "else", otherwise))
            break;
    }
    fprintf(stderr, "rungs: these records have nothing for a plot of kind %s: %s\n",
            p->kind != NULL ? p->kind : "all", otherwise);
}

static int report(const struct plots *p)
{
    const char *ending = !p->drawn                   ? "gp"
                         : p->pictures & PICTURE_SVG ? "svg"
                         : p->pictures & PICTURE_PNG ? "png"
                                                     : "pdf";

    for (size_t i = 0; i < p->count; i++)
        printf("%s/%s.%s   %s\n", p->folder, p->list[i].name, ending, p->list[i].title);
    if (p->count == 0) {
        say_what_is_missing(p);
        return STATUS_NOTHING;
    }
    if (!p->drawn) {
        fprintf(stderr, "rungs: gnuplot is not installed: apt-get install gnuplot-nox, then cd %s && "
                        "gnuplot *.gp\n", p->folder);
        return STATUS_NOTHING;
    }
    return STATUS_OK;
}

static int draw_files(struct plots *plots, const struct options *o)
{
    static struct files files;
    struct error error;
    char *folder = usual_folder(o->patterns.word[1]);
    int status;

    plots->folder = o->out != NULL ? o->out : folder;
    if (read_files(&files, o, &error) && plots_make(plots, files.list, files.count, &error))
        status = report(plots);
    else
        status = usage_error(&error);
    free(plots->list);
    free(folder);
    free_files(&files);
    return status;
}

static int run(const struct options *o)
{
    struct scripts scripts;
    struct error error;
    struct plots plots = {.scripts = &scripts,
                          .pictures = o->pictures != 0 ? o->pictures : PICTURE_SVG | PICTURE_PNG};
    int status = STATUS_USAGE;

    if (o->patterns.count < 2) {
        error_set(&error, "plot takes a kind and files of records: plot ladder FILE...");
        return usage_error(&error);
    }
    if (!scripts_read(&scripts, &error))
        return usage_error(&error);
    if (find_kind(o->patterns.word[0], &scripts, &plots.kind, &error)) {
        plots.brief = plots.kind == NULL;
        status = draw_files(&plots, o);
    } else {
        usage_error(&error);
    }
    scripts_free(&scripts);
    return status;
}

/* Lists the kinds, with the descriptions in their scripts. */
static void list_kinds(FILE *out)
{
    struct scripts scripts;
    struct error error;
    char about[SCRIPT_VALUE];

    if (!scripts_read(&scripts, &error)) {
        usage_error(&error);
        return;
    }
    fputs("\nKIND is all, or one of these:\n", out);
    for (size_t i = 0; i < scripts.kinds; i++) {
        scripts_say(&scripts.list[i], "rungs plot", about);
        fprintf(out, "  %-9s %s\n", scripts.list[i].name, about);
    }
    scripts_free(&scripts);
}

const struct command command_plot = {
    .name = "plot",
    .usage = "plot KIND FILE... [--out FOLDER] [--image svg,png,pdf]",
    .about = "draw pictures of records with gnuplot",
    .help = "For each picture it writes NAME.svg, which follows the reader's light or dark theme,\n"
            "NAME.png and NAME-dark.png (1600 wide), NAME.tsv, the data, and NAME.gp: \"gnuplot\n"
            "NAME.gp\" in that folder draws it again.  The folder is FILE-plots; existing files of the\n"
            "same name are overwritten.  For a sweep, `all` draws only the picture of kind sweep.\n"
            "Each kind is a gnuplot script.  RUNGS_PLOTS names a folder of your own scripts, which add\n"
            "kinds or replace those of the program (docs/plots.md).\n",
    .more_help = list_kinds,
    .words = "ladder phases sweep roofline scaling history kinds convergence all FILE",
    .run = run,
};
