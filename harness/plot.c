#define _GNU_SOURCE
#include "harness/plot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/plots/drawing.h"

const char *const plot_kind_names[] = {"ladder",   "phases",  "sweep",
                                       "roofline", "scaling", "history"};

static plot_maker *const makers[PLOT_KINDS] = {plot_ladder,   plot_phases,  plot_sweep,
                                               plot_roofline, plot_scaling, plot_history};

enum { LONGEST_FOLDER = 400 };

bool plots_same_machine(const struct past_run *a, const struct past_run *b)
{
    return strcmp(a->cpu, b->cpu) == 0 && a->cores == b->cores && strcmp(a->gpus, b->gpus) == 0;
}

/* --- the folder ------------------------------------------------------------------------------- */

/* With those that it lies in. */
static bool make_folder(const char *path, struct error *error)
{
    char part[LONGEST_FOLDER + 16];
    struct stat is;

    for (const char *end = path; *end != '\0';) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        snprintf(part, sizeof part, "%.*s", (int)(end - path), path);
        if (mkdir(part, 0777) == 0 || errno == EEXIST)
            errno = stat(part, &is) != 0 ? errno : S_ISDIR(is.st_mode) ? 0 : ENOTDIR;
        if (errno != 0)
            return error_set(error, "%s: %s", part, strerror(errno));
    }
    return true;
}

static bool write_script(const char *folder, const struct plot_script *script, struct error *error)
{
    char *path = NULL;

    if (asprintf(&path, "%s/%s.gp", folder, script->name) < 0)
        abort();
    FILE *f = fopen(path, "w");
    bool fine = f != NULL && fputs(script->text, f) >= 0;
    if (f != NULL && fclose(f) != 0)
        fine = false;
    if (!fine)
        error_set(error, "%s: %s", path, strerror(errno));
    free(path);
    return fine;
}

static bool write_scripts(const char *folder, struct error *error)
{
    char *path = NULL;

    if (asprintf(&path, "%s/scripts", folder) < 0)
        abort();
    bool fine = make_folder(path, error);
    for (const struct plot_script *s = plot_scripts; fine && s->name != NULL; s++)
        fine = write_script(path, s, error);
    free(path);
    return fine;
}

/* --- all of it -------------------------------------------------------------------------------- */

static bool draw(struct plots *p, struct error *error)
{
    for (size_t i = 0; i < p->count && p->drawn && p->pictures != 0; i++)
        if (!gnuplot_draw(p, p->list[i].name, &p->drawn, error))
            return false;
    return true;
}

bool plots_make(struct plots *p, const struct past *const files[], size_t count,
                struct error *error)
{
    const struct source all = {files, count};

    p->count = 0;
    p->list = NULL;
    p->drawn = true;
    for (size_t i = 0; i < count; i++)
        if (files[i]->cell_count > MOST_MEASUREMENTS)
            return error_set(error, "%s:%zu: more than the %d measurements that plots are made of",
                             files[i]->file, files[i]->cells[MOST_MEASUREMENTS].line,
                             MOST_MEASUREMENTS);
    if (strlen(p->folder) > LONGEST_FOLDER)
        return error_set(error, "a folder's name of more than %d bytes", LONGEST_FOLDER);
    const bool found = access(p->folder, F_OK) == 0;
    bool fine = make_folder(p->folder, error);
    for (size_t kind = 0; fine && kind < PLOT_KINDS; kind++)
        if (p->kinds & 1u << kind)
            fine = makers[kind](p, &all, error);
    if (fine && p->count > 0)
        fine = write_scripts(p->folder, error) && draw(p, error);
    if (p->count == 0 && !found)
        (void)rmdir(p->folder);
    if (!fine) {
        free(p->list);
        p->list = NULL;
        p->count = 0;
    }
    return fine;
}
