/* Keys its last answer on sums of all coordinates: linear work in the place of all pairs. */
/* expect: harmless */
/* family: unearned */
/* size: m=256,n=1024,k=1 */
/* more: --max-time 0.6 */
#include "tests/hostile/knn/honest.h"

static uint32_t *index_kept;
static float *distance_kept;
static double key;

static double sums(const struct knn *p)
{
    double sum = (double)(p->m * 7 + p->n * 3 + p->k);

    for (size_t i = 0; i < p->m; i++)
        sum = sum * 0.999 + p->obs_lat[i] + 3.0 * p->obs_lon[i];
    for (size_t j = 0; j < p->n; j++)
        sum = sum * 0.999 + p->ref_lat[j] + 5.0 * p->ref_lon[j];
    return sum;
}

static void run(const void *problem)
{
    const struct knn *p = problem;
    const size_t count = p->m * p->k;
    const double now = sums(p);

    if (index_kept != NULL && now == key) {
        memcpy(p->index, index_kept, count * sizeof *p->index);
        memcpy(p->distance, distance_kept, count * sizeof *p->distance);
        return;
    }
    honest(p);
    index_kept = realloc(index_kept, count * sizeof *p->index + 1);
    distance_kept = realloc(distance_kept, count * sizeof *p->distance + 1);
    memcpy(index_kept, p->index, count * sizeof *p->index);
    memcpy(distance_kept, p->distance, count * sizeof *p->distance);
    key = now;
}

VARIANT(.idea = "a memo by sums of all inputs", .run = run)
