/* Returns distances in degrees. */
/* expected: wrong: ^distance\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static float degrees(float lat1, float lon1, float lat2, float lon2)
{
    return haversine(lat1, lon1, lat2, lon2) * 57.2957795f;
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    search(p, degrees);
}

VARIANT(.idea = "in degrees", .run = run)
