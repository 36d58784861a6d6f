/* Searches only longitudes within a radian, and so misses points across the date line.  The distances
   are right for the points that it returns, which are not the nearest. */
/* expected: wrong: ^index's distance\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

/* Points that are far in longitude come last, whatever their distance is. */
static float narrowed(float lat1, float lon1, float lat2, float lon2)
{
    return haversine(lat1, lon1, lat2, lon2) + (fabsf(lon2 - lon1) > 3.14159265f ? 4.0f : 0.0f);
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    search(p, narrowed);
    measure(p);
}

VARIANT(.idea = "ignores the date line", .run = run)
