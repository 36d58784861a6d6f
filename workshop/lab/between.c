#include "workshop/lab/between.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/own_lines.h"
#include "workshop/lab/rerun.h"

/* Copies between the arrays of two GPUs. */
struct found {
    const struct exercise *e;
    char to[48], from[48]; /* of the first copy between arrays of different names */
    int to_gpu, from_gpu, line;
    char first[48];        /* into which array the first copy goes */
    int first_line;
    size_t copies;         /* from GPU 1 to GPU 0 */
    int gpus;              /* that have a band */
    size_t row;            /* bytes of a row of the image */
    int bad_line, bad_gpu; /* the first copy into no halo, or from a halo; the GPU that has it */
    size_t bad_row;        /* of the rows that this GPU has */
    bool reads_halo;       /* it comes from a halo */
};

static int line_of(const char *place)
{
    const char *colon = strrchr(place, ':');

    return colon != NULL ? atoi(colon + 1) : 0;
}

/* Returns whether a row of a GPU's array is a halo: the first one, if there is a GPU above, or the last one, if there is one below. */
static bool is_halo(const struct found *f, int gpu, size_t at, size_t bytes)
{
    return (gpu > 0 && at == 0) || (gpu + 1 < f->gpus && at + f->row == bytes);
}

/* Notes the first copy of a row that goes into no halo, or comes from one. */
static void look_at_rows(struct found *f, int to_gpu, int from_gpu, const size_t at[4], int line)
{
    const bool reads_halo = is_halo(f, from_gpu, at[2], at[3]);

    if (f->bad_line != 0 || f->row == 0 || at[0] % f->row != 0 || at[2] % f->row != 0 || (!reads_halo && is_halo(f, to_gpu, at[0], at[1])))
        return;
    f->bad_line = line;
    f->reads_halo = reads_halo;
    f->bad_gpu = reads_halo ? from_gpu : to_gpu;
    f->bad_row = (reads_halo ? at[2] : at[0]) / f->row;
}

static void read_copies(const char *path, void *data)
{
    struct found *f = data;
    FILE *file = fopen(path, "r");
    char line[600], to[160], from[160], call[160], names[2][48];
    int to_gpu, from_gpu;
    size_t at[4];

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "between %d %d %159s %159s %159s %zu %zu %zu %zu", &to_gpu, &from_gpu, to, from, call, &at[0], &at[1], &at[2], &at[3]) != 9 || to_gpu == from_gpu ||
            !own_lines_array(f->e, line_of(to), names[0], sizeof names[0]) || !own_lines_array(f->e, line_of(from), names[1], sizeof names[1]))
            continue;
        look_at_rows(f, to_gpu, from_gpu, at, line_of(call));
        f->copies += to_gpu == 0 && from_gpu == 1;
        if (f->first_line == 0) {
            snprintf(f->first, sizeof f->first, "%s", names[0]);
            f->first_line = line_of(call);
        }
        if (f->line != 0 || strcmp(names[0], names[1]) == 0)
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

/* Puts a fact before those of the result, without what these have concluded of the halos. */
static void replace_guess(const struct found *f, struct mistake *m)
{
    const struct mistake guessed = *m;

    mistake_set(m, "halo-old");
    mistake_add(m, "line %d: the first copies between GPUs come before the second step, and go into %s; the second step reads the other image", f->first_line,
                f->first);
    own_lines_quote(f->e, f->first_line, m);
    for (int i = 0; i < guessed.facts; i++)
        if (strstr(guessed.fact[i], "halo") == NULL)
            mistake_add(m, "%s", guessed.fact[i]);
    m->explains = guessed.explains;
}

bool between_look(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct error *error)
{
    enum { STEPS = 2 }; /* which length of a size counts the steps */
    struct found f = {.e = e, .gpus = (size_t)e->devices < size->dims[0] ? e->devices : (int)size->dims[0], .row = size->dims[1] * sizeof(float)};

    if (strncmp(m->kind, "halo", 4) != 0 || e->devices <= 1)
        return true;
    if (!rerun_with(e, program, size, "RUNGS_SIM_COPIES", read_copies, &f, error))
        return false;
    /* A wrong program is called twice with the same data.  The image comes in image 0, and the steps read the two in turns. */
    const size_t needed = size->dims[STEPS] - 1; /* from one GPU to another, in a call */
    const bool from_second = needed > 0 && f.copies > 0 && f.copies % needed == 0 && f.copies / needed <= 2;
    if (f.line == 0 && from_second && strstr(f.first, "[0]") != NULL) {
        replace_guess(&f, m);
    } else if (f.line != 0) {
        mistake_add(m, "line %d copies from %s of GPU %d into %s of GPU %d: that is the other image", f.line, f.from, f.from_gpu, f.to, f.to_gpu);
        own_lines_quote(e, f.line, m);
    } else if (f.bad_line != 0) {
        mistake_add(m, f.reads_halo ? "line %d copies from row %zu of the rows that GPU %d has, counted from 0: that is a halo, which it has not computed itself"
                                    : "line %d copies into row %zu of the rows that GPU %d has, counted from 0: that is a row of its own band, and no halo",
                    f.bad_line, f.bad_row, f.bad_gpu);
        own_lines_quote(e, f.bad_line, m);
    }
    return true;
}
