/* Answers only the nearest neighbour, whatever k is. */
/* expected: nan: ^distance\[0\]\[1\] is -?nan, expected */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static void run(const void *problem)
{
    const struct knn *p = problem;

    struct knn one = *p;

    one.k = 1;
    for (size_t i = 0; i < p->m; i++) {
        one.m = 1;
        one.obs_lat = p->obs_lat + i;
        one.obs_lon = p->obs_lon + i;
        one.index = p->index + i * p->k;
        one.distance = p->distance + i * p->k;
        search(&one, haversine);
    }
}

VARIANT(.idea = "only the nearest", .run = run)
