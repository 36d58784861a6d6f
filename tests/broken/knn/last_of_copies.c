/* Counts copies of a place once where a place has eight on average, and keeps the last index of each instead of the
   first.  Where there are fewer copies, every reference is searched, so uniform data show nothing. */
/* expected: wrong: ^observation [0-9]+ names reference [0-9]+ without [0-9]+, which is at the same place$ */
/* right with: --data uniform,places,country,town,spiral,lattice,coast,track,dateline */
#include <stdlib.h>

#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static uint32_t *kept; /* one reference of each place, in order */

static void prepare(const void *problem)
{
    const struct knn *p = problem;

    kept = malloc(p->n * sizeof *kept);
}

static bool has_later_copy(const struct knn *p, size_t j)
{
    for (size_t later = j + 1; later < p->n; later++)
        if (p->ref_lat[later] == p->ref_lat[j] && p->ref_lon[later] == p->ref_lon[j])
            return true;
    return false;
}

/* Returns the number of places, or more than `most`. */
static size_t count_once(const struct knn *p, size_t most)
{
    size_t count = 0;

    for (size_t j = 0; j < p->n && count <= most; j++)
        if (!has_later_copy(p, j))
            kept[count++] = (uint32_t)j;
    return count;
}

static void run(const void *problem)
{
    const struct knn *p = problem;
    const size_t most = p->n / 8, places = count_once(p, most);
    const bool pays = p->k == 1 && places <= most;

    for (size_t i = 0; i < p->m; i++)
        search_one(p, i, haversine, pays ? kept : NULL, places);
}

static void release(void)
{
    free(kept);
}

VARIANT(.idea = "the last of many copies", .prepare = prepare, .run = run, .release = release)
