/*
 * knn / cpu_tiles
 *
 * Idea     Do not keep the scores.  Of each tile of 64 references only the best score is kept: one comparison
 *          a pair, and no index.  Then the tile with the best of all is scored again, 64 scores out of
 *          thousands, to find which reference it was.
 * Against  cpu_chord, which writes every score to memory and reads it back.
 * Expect   Bound by arithmetic: three products, two sums and a maximum for each pair.
 * Try      TILE = 16 and 256 in exact.h: which part of the work shrinks, and which grows?
 * Level    2
 * Read     exact.h
 */
#include "common/knn.h"
#include "common/variant.h"
#include "exact.h" /* units, workspace, unit_vectors, pack, answer_by_tiles */

enum { LANES = 32 }; /* independent maxima, enough to keep vector units of any width busy */

static struct units ref;
static struct workspace work;
static float *packed; /* [block][TILE][x, y, z][LANES] */
static float *best;   /* [block][LANES], which is [tile] */
static size_t blocks;

static void prepare(const void *problem)
{
    const struct knn *p = problem;

    blocks = (p->n + TILE * LANES - 1) / (TILE * LANES);
    ref = units_new(p->n);
    work = workspace_new(p->n);
    packed = packed_new(p->n, LANES);
    best = floats(blocks * LANES, LANES);
}

static void best_of_tiles(const float at[3])
{
    for (size_t b = 0; b < blocks; b++) {
        const float *row = packed + b * TILE * 3 * LANES;
        float x = at[0], y = at[1], z = at[2], top[LANES];

        for (size_t lane = 0; lane < LANES; lane++)
            top[lane] = -2; /* below any score */
        for (size_t step = 0; step < TILE; step++, row += 3 * LANES)
            for (size_t lane = 0; lane < LANES; lane++) {
                float score = x * row[lane] + y * row[LANES + lane] + z * row[2 * LANES + lane];

                top[lane] = score > top[lane] ? score : top[lane];
            }
        memcpy(best + b * LANES, top, sizeof top);
    }
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    unit_vectors(p, ref);
    pack(ref, p->n, LANES, packed);
    for (size_t i = 0; i < p->m; i++) {
        float at[3] = {0.0f, 0.0f, 0.0f};

        unit_vector(p->obs_lat, p->obs_lon, i, (struct units){.x = &at[0], .y = &at[1], .z = &at[2]}, 0);
        best_of_tiles(at);
        answer_by_tiles(&work, p, i, at, ref, best);
    }
}

static void release(void)
{
    units_free(ref);
    workspace_free(work);
    free(packed);
    free(best);
}

VARIANT(.idea = "only the best score of each tile is kept",
        .base = "cpu_chord",
        .math = MATH_F32,
        .prepare = prepare,
        .run = run,
        .release = release)
