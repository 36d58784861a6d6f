/* Rounds n up to whole tiles of 4096 and writes all of them. */
/* expected: breach: ^writes [0-9]+ bytes past the end of z in run$ */
#include "common/saxpy.h"
#include "common/variant.h"

enum { TILE = 4096 };

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    size_t tiles = (p->n + TILE - 1) / TILE;

    for (size_t i = 0; i < tiles * TILE; i++)
        p->z[i] = i < p->n ? p->a * p->x[i] + p->y[i] : 0.0f;
}

VARIANT(.idea = "writes whole tiles", .run = run)
