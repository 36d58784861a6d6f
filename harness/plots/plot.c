#define _GNU_SOURCE
#include "harness/plots/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folders.h"
#include "harness/files/outfile.h"
#include "harness/plots/export.h"
#include "harness/plots/picture.h"
#include "harness/plots/select.h"

enum { LONGEST_FOLDER = 400 };

bool plots_same_machine(const struct run *a, const struct run *b)
{
    return strcmp(a->cpu, b->cpu) == 0 && a->cores == b->cores && strcmp(a->gpus, b->gpus) == 0;
}

/* --- the folder ------------------------------------------------------------------------------- */

static bool write_script(const char *folder, const struct script *script, struct error *error)
{
    char path[LONGEST_FOLDER + 64];
    struct outfile out;

    snprintf(path, sizeof path, "%s/%s.gp", folder, script->name);
    if (!outfile_open(&out, path, error))
        return false;
    outfile_write(&out, script->text, strlen(script->text));
    return outfile_close(&out, error);
}

bool plots_write_scripts(const struct plots *p, struct error *error)
{
    char path[LONGEST_FOLDER + 16];

    snprintf(path, sizeof path, "%s/scripts", p->folder);
    bool fine = folders_make(path, error);
    for (size_t i = 0; fine && i < p->scripts->count; i++)
        fine = write_script(path, &p->scripts->list[i], error);
    return fine;
}

/* --- all pictures ----------------------------------------------------------------------------- */

static bool draw(struct plots *p, struct error *error)
{
    for (size_t i = 0; i < p->count && p->drawn && p->pictures != 0; i++)
        if (!gnuplot_draw(p, &p->list[i], &p->drawn, error))
            return false;
    return true;
}

static bool is_wanted(const struct plots *p, const struct script *kind)
{
    char each[SCRIPT_VALUE];

    if (p->kind != NULL)
        return strcmp(p->kind, kind->name) == 0;
    scripts_say(kind, "each", each);
    const bool by_table = strcmp(each, "table") == 0 || strncmp(each, "table ", 6) == 0;
    return p->scope == PLOTS_ALL || by_table == (p->scope == PLOTS_OF_TABLES);
}

static bool make_kind(struct plots *p, const struct script *kind, const struct export *e,
                      struct error *error)
{
    struct selections s;
    bool fine = select_lines(&s, kind, p->brief, &e->measurements, error);

    for (size_t i = 0; fine && i < s.count; i++)
        fine = picture_make(p, kind, e, &s.list[i], error);
    select_free(&s);
    return fine;
}

static bool make_all(struct plots *p, const struct records *const files[], size_t count,
                     struct error *error)
{
    struct export e;
    bool fine = export_files(&e, files, count, error);

    for (size_t i = 0; fine && i < p->scripts->kinds; i++)
        if (is_wanted(p, &p->scripts->list[i]))
            fine = make_kind(p, &p->scripts->list[i], &e, error);
    export_free(&e);
    return fine && (p->count == 0 || (plots_write_scripts(p, error) && draw(p, error)));
}

bool plots_make(struct plots *p, const struct records *const files[], size_t count,
                struct error *error)
{
    p->count = 0;
    p->list = NULL;
    p->drawn = true;
    if (strlen(p->folder) > LONGEST_FOLDER)
        return error_set(error, "the name of the folder has more than %d bytes", LONGEST_FOLDER);
    const bool found = access(p->folder, F_OK) == 0;
    const bool fine = folders_make(p->folder, error) && make_all(p, files, count, error);
    if (p->count == 0 && !found)
        (void)rmdir(p->folder);
    if (!fine) {
        free(p->list);
        p->list = NULL;
        p->count = 0;
    }
    return fine;
}
