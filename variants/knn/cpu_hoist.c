/*
 * knn / cpu_hoist
 *
 * Idea     Take out of the inner loop what need not be there.  cos(lat) belongs to a point, not to
 *          a pair.  And 2 asin(sqrt(h)) never falls as h rises, so h alone finds the nearest: the
 *          root and the arcsine wait until k answers are left.
 * Against  cpu_naive, which computes all of it for every pair.
 * Expect   Two sines remain of six special functions; the gain is what the other four cost.
 * Try      Put the square root back into the loop.  It is one instruction; does it show?
 * Level    1
 * Read     nothing else
 */
#include <math.h>
#include <stdlib.h>

#include "common/knn.h"
#include "common/variant.h"

static float *ref_cos; /* [n] cos(ref_lat) */

static void prepare(const void *problem)
{
    const struct knn *p = problem;

    ref_cos = malloc(p->n * sizeof *ref_cos);
}

/* Puts (h, j) into a list of `held` neighbours, nearest first; the list never outgrows k. */
static size_t insert(float *least, uint32_t *index, size_t held, size_t k, float h, size_t j)
{
    if (held == k && !(h < least[k - 1]))
        return held;

    size_t place = held < k ? held++ : k - 1;

    for (; place > 0 && h < least[place - 1]; place--) {
        least[place] = least[place - 1];
        index[place] = index[place - 1];
    }
    least[place] = h;
    index[place] = (uint32_t)j;
    return held;
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    for (size_t j = 0; j < p->n; j++)
        ref_cos[j] = cosf(p->ref_lat[j]);

    for (size_t i = 0; i < p->m; i++) {
        float *least = p->distance + i * p->k; /* h at first, distances in the end */
        float lat = p->obs_lat[i], lon = p->obs_lon[i], obs_cos = cosf(lat);
        size_t held = 0;

        for (size_t j = 0; j < p->n; j++) {
            float sin_lat = sinf((p->ref_lat[j] - lat) / 2);
            float sin_lon = sinf((p->ref_lon[j] - lon) / 2);
            float h = sin_lat * sin_lat + obs_cos * ref_cos[j] * sin_lon * sin_lon;

            held = insert(least, p->index + i * p->k, held, p->k, h, j);
        }
        for (size_t r = 0; r < p->k; r++)
            least[r] = 2 * asinf(sqrtf(fminf(least[r], 1)));
    }
}

static void release(void)
{
    free(ref_cos);
}

VARIANT(.idea = "out of the loop: cosines, root, arcsine",
        .base = "cpu_naive",
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
