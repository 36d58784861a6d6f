/*
 * knn / cpu_openmp
 *
 * Idea     All cores: observations do not depend on each other, so each core takes an equal share.
 * Against  cpu_naive, the same loop on one core.
 * Expect   As much more as there are cores: every pair is arithmetic, and the reference points stay
 *          in each core's own cache, so nothing is shared that could run out.
 * Try      --threads 1, 2, 4, ...: until where is the gain a straight line?  And with m = 3?
 * Level    1
 * Read     nothing else
 */
#include <math.h>

#include "common/knn.h"
#include "common/variant.h"

static float haversine(float lat1, float lon1, float lat2, float lon2)
{
    float sin_lat = sinf((lat2 - lat1) / 2);
    float sin_lon = sinf((lon2 - lon1) / 2);
    float h = sin_lat * sin_lat + cosf(lat1) * cosf(lat2) * sin_lon * sin_lon;

    /* Rounding can lift h above 1 at the antipode, where asin has no answer. */
    return 2 * asinf(sqrtf(fminf(h, 1)));
}

/* Puts (d, j) into a list of `held` neighbours, nearest first; the list never outgrows k. */
static size_t insert(float *distance, uint32_t *index, size_t held, size_t k, float d, size_t j)
{
    if (held == k && !(d < distance[k - 1]))
        return held;

    size_t place = held < k ? held++ : k - 1;

    /* Only what is strictly farther moves, so of equal distances the first index stays first. */
    for (; place > 0 && d < distance[place - 1]; place--) {
        distance[place] = distance[place - 1];
        index[place] = index[place - 1];
    }
    distance[place] = d;
    index[place] = (uint32_t)j;
    return held;
}

static void run(const void *problem)
{
    const struct knn *p = problem;

#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->m; i++) {
        size_t held = 0;

        for (size_t j = 0; j < p->n; j++) {
            float d = haversine(p->obs_lat[i], p->obs_lon[i], p->ref_lat[j], p->ref_lon[j]);

            held = insert(p->distance + i * p->k, p->index + i * p->k, held, p->k, d, j);
        }
    }
}

VARIANT(.idea = "all cores, equal shares", .base = "cpu_naive", .math = MATH_F32, .run = run)
