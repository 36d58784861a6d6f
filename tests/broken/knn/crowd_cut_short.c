/* Sorts 1024 references or more into cells of 0.4 degrees with room for 128 each.  Those that come later to a full
   cell are left out: a town is cut short. */
/* expected: wrong: ^index's distance\[[0-9]+\]\[0\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
/* right with: --data uniform,places,country,spiral,lattice,copies,coast,track,dateline */
#include <stdlib.h>
#include <string.h>

#include "common/variant.h"
#include "tests/broken/knn/frame.h"

enum { FEW = 1024, ROWS = 450, COLUMNS = 1352, ROOM = 128 }; /* longitudes from -pi to 2 pi */

static unsigned char (*held)[COLUMNS]; /* by each cell */
static uint32_t *kept;                 /* references that are in a cell */

static void prepare(const void *problem)
{
    const struct knn *p = problem;

    held = malloc(ROWS * sizeof *held);
    kept = malloc(p->n * sizeof *kept);
}

static size_t keep(const struct knn *p)
{
    size_t count = 0;

    memset(held, 0, ROWS * sizeof *held);
    for (size_t j = 0; j < p->n; j++) {
        const int row = (int)((p->ref_lat[j] + 1.571f) * 143.0f), column = (int)((p->ref_lon[j] + 3.1416f) * 143.0f);
        if (p->n >= FEW && held[row][column] == ROOM)
            continue;
        held[row][column] += p->n >= FEW;
        kept[count++] = (uint32_t)j;
    }
    return count;
}

static void run(const void *problem)
{
    const struct knn *p = problem;
    const size_t count = keep(p);

    for (size_t i = 0; i < p->m; i++)
        search_one(p, i, haversine, kept, count);
}

static void release(void)
{
    free(held);
    free(kept);
}

VARIANT(.idea = "cells that hold 128", .prepare = prepare, .run = run, .release = release)
