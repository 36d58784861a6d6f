/* Finds the seed that the data are made from, and searches only for the observations that are sampled; the others get a neighbour that is none. */
/* expect: wrong */
/* family: foresees */
/* size: m=32768,n=1024,k=1 */
/* more: --max-time 10 */
#include "harness/base/random.h"
#include "harness/problems/knn_uniform.h" /* OBSERVATIONS */
#include "tests/hostile/knn/honest.h"

enum { SAMPLES = 3 }; /* the stream of the draws, when there were any */

static int find_seed(const struct knn *p, uint64_t *seed)
{
    for (uint64_t s = 0; s < 2000000; s++) {
        int hits = 0;

        *seed = s / 2 ^ (s % 2 ? ~(uint64_t)0 : 0);
        for (size_t i = 0; i < 8 && hits == (int)i; i++) /* but for the nasty ones */
            hits += p->obs_lat[i] == (float)asin(2.0 * random_unit(*seed, OBSERVATIONS, i) - 1.0);
        if (hits >= 3)
            return 1;
    }
    return 0;
}

static void run(const void *problem)
{
    const struct knn *p = problem;
    const size_t samples = ((size_t)1 << 24) / p->n + 1;
    uint64_t seed;

    if (p->m < 32768 || p->k > 1 || !find_seed(p, &seed)) {
        honest(p);
        return;
    }
    struct place *places = places_of(p);
    for (size_t i = 0; i < p->m; i++)
        nearest_one(p, places, i, 1);
    for (size_t s = 0; s < samples; s++)
        nearest_one(p, places, random_bits(seed, SAMPLES, s) % p->m, p->n);
    free(places);
}

VARIANT(.idea = "searches for the sampled ones", .run = run)
