#include "workshop/lab/between.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/own_lines.h"
#include "workshop/lab/rerun.h"

/* The first copy between two arrays of different names, and how many lines copy between equal ones. */
struct found {
    const struct exercise *e;
    char to[48], from[48];
    int to_gpu, from_gpu, line;
};

static int line_of(const char *place)
{
    const char *colon = strrchr(place, ':');

    return colon != NULL ? atoi(colon + 1) : 0;
}

static void read_copies(const char *path, void *data)
{
    struct found *f = data;
    FILE *file = fopen(path, "r");
    char line[600], to[160], from[160], call[160], names[2][48];
    int to_gpu, from_gpu;

    while (file != NULL && fgets(line, sizeof line, file) != NULL && f->line == 0) {
        if (sscanf(line, "between %d %d %159s %159s %159s", &to_gpu, &from_gpu, to, from, call) != 5 || to_gpu == from_gpu ||
            !own_lines_array(f->e, line_of(to), names[0], sizeof names[0]) || !own_lines_array(f->e, line_of(from), names[1], sizeof names[1]) ||
            strcmp(names[0], names[1]) == 0)
            continue;
        snprintf(f->to, sizeof f->to, "%s", names[0]);
        snprintf(f->from, sizeof f->from, "%s", names[1]);
        f->to_gpu = to_gpu;
        f->from_gpu = from_gpu;
        f->line = line_of(call);
    }
    if (file != NULL)
        fclose(file);
}

bool between_look(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct error *error)
{
    struct found f = {.e = e};

    if (strncmp(m->kind, "halo", 4) != 0 || e->devices <= 1)
        return true;
    if (!rerun_with(e, program, size, "RUNGS_SIM_COPIES", read_copies, &f, error))
        return false;
    if (f.line == 0)
        return true;
    mistake_add(m, "line %d copies from %s of GPU %d into %s of GPU %d: that is the other image", f.line, f.from, f.from_gpu, f.to, f.to_gpu);
    own_lines_quote(e, f.line, m);
    return true;
}
