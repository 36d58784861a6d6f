#include "workshop/lab/adders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/own_lines.h"
#include "workshop/lab/rerun.h"
#include "workshop/lab/text.h"

enum { WARP = 32 };

struct context {
    const struct exercise *e;
    struct mistake *m;
    unsigned lane; /* which has the totals that are in the result */
};

/* Reads of harness/sim/adds.c: the first and the last thread of a block that adds at a place, and where.  Tells of the lane. */
static void tell_lane(const char *path, void *context)
{
    const struct context *c = context;
    char line[800], made[300], at[300], name[48];
    unsigned first, last;
    size_t times, offset, bytes;
    FILE *f = fopen(path, "r");

    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        if (sscanf(line, "%u %u %zu %zu %zu %299s %299s", &first, &last, &times, &offset, &bytes, made, at) != 7 || first != last ||
            first % WARP != c->lane || strrchr(made, ':') == NULL || !own_lines_array(c->e, atoi(strrchr(made, ':') + 1), name, sizeof name))
            continue;
        const int number = own_lines_first(c->e, at);
        mistake_add(c->m, "thread %u of each block adds to element %zu of %s, in line %d. It is lane %u, and behind __shfl_down_sync lane 0 has the whole, "
                          "and lane %u only what lanes %u and above have passed", first, offset / sizeof(double), name, number, c->lane, c->lane, c->lane);
        own_lines_quote(c->e, number, c->m);
        break;
    }
    if (f != NULL)
        fclose(f);
}

/* Returns whether the program hands numbers on by these shuffles only. */
static bool shuffles_down(const struct exercise *e)
{
    struct error ignored;
    char *text = text_read(e->source, &ignored), *code = text != NULL ? text_without_comments(text) : NULL;
    const bool down = code != NULL && strstr(code, "__shfl_down_sync") != NULL && strstr(code, "__shfl_xor_sync") == NULL &&
                      strstr(code, "__shfl_up_sync") == NULL;

    free(code);
    free(text);
    return down;
}

bool adders_look(const struct exercise *e, const char *program, const struct size *size, struct mistake *m, struct error *error)
{
    struct context c = {.e = e, .m = m};
    const char *from = m->facts > 0 ? strstr(m->fact[0], "those from warp ") : NULL;

    if (from == NULL || sscanf(from, "those from warp %u", &c.lane) != 1 || !shuffles_down(e))
        return true;
    return rerun_with(e, program, size, "RUNGS_SIM_ADDS", tell_lane, &c, error);
}
