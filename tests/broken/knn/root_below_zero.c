/* Uses a form of the formula that takes the root of a negative number if rounding lifts h above 1,
   which happens at the antipode.  (The arcsine has no such problem: sqrtf(1 + 2^-23) is 1.) */
/* expected: nan: ^distance\[[0-9]+\]\[[0-9]+\] is (inf|-?nan), expected */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static float by_arctangent(float lat1, float lon1, float lat2, float lon2)
{
    float sin_lat = sinf((lat2 - lat1) / 2.0f), sin_lon = sinf((lon2 - lon1) / 2.0f);
    float h = sin_lat * sin_lat + cosf(lat1) * cosf(lat2) * sin_lon * sin_lon;

    return 2.0f * atan2f(sqrtf(h), sqrtf(1.0f - h));
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    search(p, by_arctangent);
}

VARIANT(.idea = "the root of less than nothing", .run = run)
