/* Gathers the references within a circle into a pool of 1024, and leaves out without a word what has no room.
   Of uniform points a circle holds few, of a town all. */
/* expected: wrong: ^index's distance\[[0-9]+\]\[0\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
/* right with: --data uniform,places,country,spiral,lattice,copies,coast,track,dateline */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

enum { ROOM = 1024 };

/* Doubles the circle's radius until it holds k references. */
static size_t gather(const struct knn *p, size_t i, uint32_t pool[ROOM])
{
    size_t count = 0;

    for (float radius = 2.0f / sqrtf((float)p->n); count < p->k; radius *= 2.0f) {
        count = 0;
        for (size_t j = 0; j < p->n && count < ROOM; j++)
            if (haversine(p->obs_lat[i], p->obs_lon[i], p->ref_lat[j], p->ref_lon[j]) <= radius)
                pool[count++] = (uint32_t)j;
    }
    return count;
}

static void run(const void *problem)
{
    const struct knn *p = problem;
    uint32_t pool[ROOM];

    for (size_t i = 0; i < p->m; i++) {
        const size_t count = gather(p, i, pool);
        search_one(p, i, haversine, pool, count);
    }
}

VARIANT(.idea = "a pool that overflows", .run = run)
