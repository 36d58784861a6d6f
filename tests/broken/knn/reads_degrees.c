/* Treats the coordinates as degrees. */
/* expected: wrong: ^distance\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static float from_degrees(float lat1, float lon1, float lat2, float lon2)
{
    const float degree = 0.0174532925f;

    return haversine(lat1 * degree, lon1 * degree, lat2 * degree, lon2 * degree);
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    search(p, from_degrees);
}

VARIANT(.idea = "coordinates in degrees", .run = run)
