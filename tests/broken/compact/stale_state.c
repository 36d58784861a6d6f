/* Where each tile goes is remembered with a mark that the next call does not clear: right once. */
/* expected: wrong: ^(count is|kept\[) */
#include <string.h>

#include "common/compact.h"
#include "common/variant.h"

enum { TILE = 1024, TILES = 1 << 10 };

static size_t up_to[TILES];
static int published[TILES];

static void run(const void *problem)
{
    const struct compact *p = problem;
    size_t before = 0;

    *p->count = 0;
    for (size_t tile = 0; tile * TILE < p->n; tile++) {
        size_t count = 0;

        for (size_t i = tile * TILE; i < p->n && i < (tile + 1) * TILE; i++)
            if (p->x[i] == p->x[i])
                p->kept[before + count++] = p->x[i];
        if (!published[tile])
            up_to[tile] = before + count;
        published[tile] = 1;
        before = up_to[tile];
    }
    *p->count = before;
}

static void release(void)
{
    memset(published, 0, sizeof published);
}

VARIANT(.idea = "marks are not cleared", .run = run, .release = release)
