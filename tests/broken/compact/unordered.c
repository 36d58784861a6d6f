/* Tiles of 256 go where a joint counter says, in the order in which they finish: here the last tile is the first.  As a
   set the answer is right. */
/* expected: wrong: ^kept\[ */
#include "common/compact.h"
#include "common/variant.h"

enum { TILE = 256 };

static void run(const void *problem)
{
    const struct compact *p = problem;
    size_t counter = 0;

    for (size_t tile = (p->n + TILE - 1) / TILE; tile-- > 0;)
        for (size_t i = tile * TILE; i < p->n && i < (tile + 1) * TILE; i++)
            if (p->x[i] == p->x[i])
                p->kept[counter++] = p->x[i];
    *p->count = counter;
}

VARIANT(.idea = "a joint counter", .run = run)
