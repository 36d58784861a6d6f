/*
 * For cpu_simd, cpu_avx512, cpu_simd_openmp and cpu_blocked: the best score of every tile for a group of
 * observations, in vectors, and the answers by these (exact.h).
 *
 * Before it includes this, a variant includes avx2.h or avx512.h, and says how many observations share each
 * load of references, GROUP, and how many go through a block of references before the next block, PASS.
 *
 *     block 0 of references           lane 0   lane 1   ...  lane LANES-1
 *       step 0 of a tile    x, y, z   tile 0   tile 1   ...                   a vector has the same step
 *       step 1              x, y, z   tile 0   tile 1   ...                   of LANES tiles, so that the
 *       ...                                                                   maximum in a lane is one
 *       step 63             x, y, z   tile 0   tile 1   ...                   tile's best score
 *     block 1: the next LANES tiles
 */
#ifndef RUNGS_KNN_SIMD_H
#define RUNGS_KNN_SIMD_H

#include "exact.h" /* units, workspace, unit_vectors, pack, answer_by_tiles */

static struct units ref;
static float *packed; /* [block][TILE][x, y, z][LANES] */
static size_t blocks;

static struct worker { /* what a thread needs */
    struct workspace work;
    float *best; /* [PASS][tiles of all blocks] */
} *workers;
static size_t worker_count;

static void workers_new(const struct knn *p, size_t count)
{
    blocks = (p->n + TILE * LANES - 1) / (TILE * LANES);
    ref = units_new(p->n);
    packed = packed_new(p->n, LANES);
    worker_count = count;
    workers = malloc(count * sizeof *workers);
    for (size_t w = 0; w < count; w++) {
        workers[w].work = workspace_new(p->n);
        workers[w].best = floats(PASS * blocks * LANES, CHUNK);
    }
}

static void workers_free(void)
{
    for (size_t w = 0; w < worker_count; w++) {
        workspace_free(workers[w].work);
        free(workers[w].best);
    }
    free(workers);
    free(packed);
    units_free(ref);
}

/* The best scores of one block's tiles for GROUP observations */
INLINE VECTORS void best_of_block(size_t b, float at[GROUP][3], float *best)
{
    const float *row = packed + b * TILE * 3 * LANES;
    vector top[GROUP];

    for (size_t g = 0; g < GROUP; g++)
        top[g] = in_all_lanes(-2); /* below any score */
    for (size_t step = 0; step < TILE; step++, row += 3 * LANES) {
        vector x = load(row), y = load(row + LANES), z = load(row + 2 * LANES);

        for (size_t g = 0; g < GROUP; g++) {
            vector score = multiply(x, in_all_lanes(at[g][0]));

            score = multiply_add(y, in_all_lanes(at[g][1]), score);
            score = multiply_add(z, in_all_lanes(at[g][2]), score);
            top[g] = maximum(top[g], score);
        }
    }
    for (size_t g = 0; g < GROUP; g++)
        store(best + (g * blocks + b) * LANES, top[g]);
}

/* Answers `count` observations, PASS at most.  exact.h is compiled into this function, so it uses the same
   vector instructions. */
VECTORS static void answer_pass(struct worker *w, const struct knn *p, size_t first, size_t count)
{
    float at[PASS][3] = {{0}};

    /* A last group that is not full repeats the last observation. */
    for (size_t g = 0; g < (count + GROUP - 1) / GROUP * GROUP; g++) {
        size_t i = first + (g < count ? g : count - 1);

        unit_vector(p->obs_lat, p->obs_lon, i, (struct units){.x = &at[g][0], .y = &at[g][1], .z = &at[g][2]}, 0);
    }
    for (size_t b = 0; b < blocks; b++)
        for (size_t g = 0; g < count; g += GROUP)
            best_of_block(b, at + g, w->best + g * blocks * LANES);
    for (size_t g = 0; g < count; g++)
        answer_by_tiles(&w->work, p, first + g, at[g], ref, w->best + g * blocks * LANES);
}

#endif
