/* Takes the place of a tile's last element for the number of its elements: one too few, if that one is kept. */
/* expected: wrong: ^count is */
#include "common/compact.h"
#include "common/variant.h"

enum { TILE = 256 };

static void run(const void *problem)
{
    const struct compact *p = problem;
    size_t before = 0;

    for (size_t first = 0; first < p->n; first += TILE) {
        size_t place = 0, last = 0;

        for (size_t i = first; i < p->n && i < first + TILE; i++) {
            last = place;
            if (p->x[i] == p->x[i])
                p->kept[before + place++] = p->x[i];
        }
        before += last;
    }
    *p->count = before;
}

VARIANT(.idea = "the last element's place", .run = run)
