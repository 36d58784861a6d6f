/* Adds a hundredth of a radian to distances of northern points, so that it sometimes prefers another. */
/* expected: wrong: ^index's distance\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static float reluctant(float lat1, float lon1, float lat2, float lon2)
{
    float d = haversine(lat1, lon1, lat2, lon2);

    return lat2 > 0.0f ? d + 0.01f : d;
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    search(p, reluctant);
    measure(p);
}

VARIANT(.idea = "nearly the nearest", .run = run)
