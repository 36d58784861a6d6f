/* Computes distances in the plane of longitude and latitude, without date line and converging
   meridians.  Small maps near the equator do not show it. */
/* expected: wrong: ^distance\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static float planar(float lat1, float lon1, float lat2, float lon2)
{
    return hypotf(lat2 - lat1, lon2 - lon1);
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    search(p, planar);
}

VARIANT(.idea = "planar distance", .run = run)
