/* Searches a window of longitudes.  For the date line it enters the references near it twice, on both sides, and has
   room for so many as uniform data need.  What has no room is found from its own side only. */
/* expected: wrong: ^index's distance\[[0-9]+\]\[[01]\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
/* right with: --data uniform,places,country,town,spiral,lattice,copies,coast,track */
#include <stdlib.h>

#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static const float PI = 3.14159265f, WINDOW = 0.4f;

static float *ghost_lon; /* [n] where a reference is seen from the other side; NAN: it is not */
static uint32_t *seen;   /* [n] in the window */

static void prepare(const void *problem)
{
    const struct knn *p = problem;

    ghost_lon = malloc(p->n * sizeof *ghost_lon);
    seen = malloc(p->n * sizeof *seen);
}

/* Brings a longitude into -pi to pi. */
static float normal(float lon)
{
    return lon > PI ? lon - 2.0f * PI : lon;
}

static void enter_ghosts(const struct knn *p)
{
    size_t room = p->n / 4 + 16;

    for (size_t j = 0; j < p->n; j++) {
        const float lon = normal(p->ref_lon[j]);
        const bool ghost = fabsf(lon) >= PI - WINDOW && room > 0;
        ghost_lon[j] = ghost ? lon - copysignf(2.0f * PI, lon) : NAN;
        room -= ghost;
    }
}

/* Is everything within the k-th distance also within the window? */
static bool settled(const struct knn *p, size_t i, size_t count)
{
    const float farthest = count >= p->k ? p->distance[i * p->k + p->k - 1] : PI;

    return farthest < 1.0f && sinf(farthest) < 0.99f * cosf(p->obs_lat[i]) * sinf(WINDOW);
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    enter_ghosts(p);
    for (size_t i = 0; i < p->m; i++) {
        const float lon = normal(p->obs_lon[i]);
        size_t count = 0;
        for (size_t j = 0; j < p->n; j++)
            if (fabsf(normal(p->ref_lon[j]) - lon) <= WINDOW || fabsf(ghost_lon[j] - lon) <= WINDOW)
                seen[count++] = (uint32_t)j;
        search_one(p, i, haversine, seen, count);
        if (!settled(p, i, count))
            search_one(p, i, haversine, NULL, 0);
    }
}

static void release(void)
{
    free(ghost_lon);
    free(seen);
}

VARIANT(.idea = "a date line with little room", .prepare = prepare, .run = run, .release = release)
