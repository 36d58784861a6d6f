/* Exchanges longitude and latitude. */
/* expected: wrong: ^distance\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static float swapped(float lat1, float lon1, float lat2, float lon2)
{
    return haversine(lon1, lat1, lon2, lat2);
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    search(p, swapped);
}

VARIANT(.idea = "coordinates swapped", .run = run)
