/* Returns the nearest by latitude alone, with its right distance. */
/* expected: wrong: ^index's distance\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static float in_latitude(float lat1, float lon1, float lat2, float lon2)
{
    (void)lon1;
    (void)lon2;
    return fabsf(lat2 - lat1);
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    search(p, in_latitude);
    measure(p);
}

VARIANT(.idea = "nearest by latitude", .run = run)
