/* Ranks by the cosine of the angle, which cannot distinguish near points: 1 - 1e-8 is 1 in float32. */
/* expected: wrong: ^distance\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/knn/frame.h"

static float by_cosine(float lat1, float lon1, float lat2, float lon2)
{
    float cosine = sinf(lat1) * sinf(lat2) + cosf(lat1) * cosf(lat2) * cosf(lon2 - lon1);

    return acosf(fmaxf(-1.0f, fminf(cosine, 1.0f)));
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    search(p, by_cosine);
}

VARIANT(.idea = "by the law of cosines", .run = run)
