/* rungs plot: pictures of records. */
#define _GNU_SOURCE
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/commands/command.h"
#include "harness/nearest.h"
#include "harness/plot.h"

/* --- what is asked for ------------------------------------------------------------------------ */

static bool find_kinds(const char *word, unsigned *kinds, struct error *error)
{
    const char *nearest = "all";

    *kinds = strcmp(word, "all") == 0 ? (1u << PLOT_KINDS) - 1 : 0;
    for (unsigned i = 0; i < PLOT_KINDS; i++) {
        if (strcmp(word, plot_kind_names[i]) == 0)
            *kinds = 1u << i;
        if (edit_distance(word, plot_kind_names[i]) < edit_distance(word, nearest))
            nearest = plot_kind_names[i];
    }
    return *kinds != 0 ||
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
    struct past past[2 * MAX_WORDS];
    const struct past *list[2 * MAX_WORDS];
    char *ceilings[2 * MAX_WORDS]; /* the name of one that was found beside records; else NULL */
};

static bool read_one(struct files *f, const char *name, struct error *error)
{
    if (!past_read(name, &f->past[f->count], error))
        return false;
    f->list[f->count] = &f->past[f->count];
    f->count++;
    return true;
}

static bool has_ceilings_of(const struct files *f, const struct past_run *run)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->past[i].ceiling_count > 0 && plots_same_machine(&f->past[i].runs[0], run))
            return true;
    return false;
}

/* What the machine of a file's records can do lies in their folder, if it was measured.  A file of
   another machine, or a damaged one, is none that was asked for. */
static void find_ceilings_beside(struct files *f, const char *name, const struct past_run *run)
{
    const char *slash = strrchr(name, '/');
    char *pattern = NULL;
    struct error error;
    glob_t found;

    if (asprintf(&pattern, "%.*s*ceilings*.jsonl", slash != NULL ? (int)(slash + 1 - name) : 0,
                 name) < 0)
        abort();
    int failed = glob(pattern, 0, NULL, &found);
    free(pattern);
    for (size_t i = 0; failed == 0 && i < found.gl_pathc && !has_ceilings_of(f, run); i++) {
        struct past *p = &f->past[f->count];
        char *file = strdup(found.gl_pathv[i]); /* the records go by this name */
        if (file == NULL)
            abort();
        if (!past_read(file, p, &error)) {
            free(file);
            continue;
        }
        if (plots_same_machine(&p->runs[0], run)) {
            f->ceilings[f->count] = file;
            f->list[f->count++] = p;
        } else {
            past_free(p);
            free(file);
        }
    }
    if (failed == 0)
        globfree(&found);
}

static bool read_files(struct files *f, const struct options *o, struct error *error)
{
    f->count = 0;
    for (size_t i = 1; i < o->pattern_count; i++)
        if (!read_one(f, o->patterns[i], error))
            return false;
    for (size_t i = 1; i < o->pattern_count; i++) {
        const struct past_run *run = &f->past[i - 1].runs[0];
        if (!has_ceilings_of(f, run))
            find_ceilings_beside(f, o->patterns[i], run);
    }
    return true;
}

static void free_files(struct files *f)
{
    for (size_t i = 0; i < f->count; i++) {
        past_free(&f->past[i]);
        free(f->ceilings[i]);
    }
}

/* --- the command ------------------------------------------------------------------------------ */

static const char *needs(unsigned kinds)
{
    static const char *const what[PLOT_KINDS] = {
        [PLOT_LADDER] = "no rung has a time in these files",
        [PLOT_PHASES] = "no rung of a device other than the CPU has a time in these files",
        [PLOT_SWEEP] = "no problem has three sizes in one of these files; rungs sweep makes them",
        [PLOT_ROOFLINE] = "it takes times, and ceilings of the same machine, by rungs ceilings",
        [PLOT_SCALING] = "no rung was timed on several numbers of threads (bench --threads 1,2)",
        [PLOT_HISTORY] = "no two runs of one machine have a cell in common; name more files",
    };

    for (size_t i = 0; i < PLOT_KINDS; i++)
        if (kinds == 1u << i)
            return what[i];
    return what[PLOT_LADDER];
}

static int report(const struct plots *p, const char *kind)
{
    const char *ending = !p->drawn                   ? "gp"
                         : p->pictures & PICTURE_SVG ? "svg"
                         : p->pictures & PICTURE_PNG ? "png"
                                                     : "pdf";

    for (size_t i = 0; i < p->count; i++)
        printf("%s/%s.%s   %s\n", p->folder, p->list[i].name, ending, p->list[i].title);
    if (p->count == 0) {
        fprintf(stderr, "rungs: nothing to show in a plot of kind %s: %s\n", kind, needs(p->kinds));
        return STATUS_NOTHING;
    }
    if (!p->drawn) {
        fprintf(stderr, "rungs: gnuplot is not here: apt-get install gnuplot-nox, then cd %s && "
                        "gnuplot *.gp\n", p->folder);
        return STATUS_NOTHING;
    }
    return STATUS_OK;
}

static int run(const struct options *o)
{
    static struct files files;
    struct error error;
    struct plots plots = {.pictures = o->pictures != 0 ? o->pictures : PICTURE_SVG | PICTURE_PNG};
    char *folder = NULL;
    int status;

    if (o->pattern_count < 2)
        error_set(&error, "plot takes a kind and files of records: plot ladder FILE...");
    else
        error.text[0] = '\0';
    if (error.text[0] != '\0' || !find_kinds(o->patterns[0], &plots.kinds, &error))
        return usage_error(&error);
    folder = usual_folder(o->patterns[1]);
    plots.folder = o->out != NULL ? o->out : folder;
    plots.brief = strcmp(o->patterns[0], "all") == 0;
    if (read_files(&files, o, &error) && plots_make(&plots, files.list, files.count, &error))
        status = report(&plots, o->patterns[0]);
    else
        status = usage_error(&error);
    free(plots.list);
    free(folder);
    free_files(&files);
    return status;
}

const struct command command_plot = {
    .name = "plot",
    .usage = "plot KIND FILE... [--out FOLDER] [--as svg,png,pdf]",
    .about = "draw pictures of records, by gnuplot",
    .help = "KIND is one of these, or all:\n"
            "  ladder    each rung's time, end to end and resident, its interval, what it bought\n"
            "  phases    upload, run, download and the rest, as shares of the time end to end\n"
            "  sweep     time and rate over the size, and where rungs cross over\n"
            "  roofline  rungs under the ceilings of their machine (a file of ceilings is one of\n"
            "            the FILEs, or lies beside one as rungs ceilings wrote it)\n"
            "  scaling   how many times faster on so many threads or devices\n"
            "  history   the same cell in run after run: of several files, or one of several runs\n"
            "A picture is NAME.svg, dark where its reader is, and NAME.png and NAME-dark.png, of\n"
            "1600 x 900; NAME.tsv has its data, and gnuplot NAME.gp, in the folder, draws it again.\n"
            "They go to FILE-plots, and take the place of older ones of their name.  `all` draws of a\n"
            "sweep its own picture and none for each of its sizes.\n",
    .options = "  --out FOLDER             where the pictures go\n"
               "  --as svg,png,pdf         what is drawn (svg,png)\n",
    .run = run,
};
