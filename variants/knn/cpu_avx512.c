/*
 * knn / cpu_avx512
 *
 * Idea     Vectors of sixteen: AVX-512 instead of AVX2.  The algorithm does not change, and with 32
 *          registers instead of 16 all twelve coordinates of four observations stay in them.
 * Against  cpu_simd, with vectors of eight.
 * Expect   Twice as many pairs where the CPU's units are 512 bits wide; nothing where it splits the
 *          work in halves.  What an answer costs besides its pairs stays, and weighs more.
 * Try      n = 2^10 against n = 2^14: which share of the time is not spent on pairs?
 * Level    2
 * Read     exact.h
 */
#include <immintrin.h>

#include "common/knn.h"
#include "common/variant.h"
#include "exact.h" /* units, workspace, unit_vectors, pack, answer_by_tiles */

enum { LANES = 16, GROUP = 4 };

static struct units ref;
static struct workspace work;
static float *packed; /* [block][TILE][x, y, z][LANES] */
static float *best;   /* [GROUP][tiles of all blocks] */
static size_t blocks;

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx512f") ? NULL : "needs a CPU with AVX-512";
}

static void prepare(const void *problem)
{
    const struct knn *p = problem;

    blocks = (p->n + TILE * LANES - 1) / (TILE * LANES);
    ref = units_new(p->n);
    work = workspace_new(p->n);
    packed = packed_new(p->n, LANES);
    best = floats(GROUP * blocks * LANES, CHUNK);
}

__attribute__((target("avx512f"))) static void best_of_tiles(float at[GROUP][3])
{
    for (size_t b = 0; b < blocks; b++) {
        const float *row = packed + b * TILE * 3 * LANES;
        __m512 top[GROUP];

        for (size_t g = 0; g < GROUP; g++)
            top[g] = _mm512_set1_ps(-2); /* below any score */
        for (size_t step = 0; step < TILE; step++, row += 3 * LANES) {
            __m512 x = _mm512_load_ps(row);
            __m512 y = _mm512_load_ps(row + LANES);
            __m512 z = _mm512_load_ps(row + 2 * LANES);

            for (size_t g = 0; g < GROUP; g++) {
                __m512 score = _mm512_mul_ps(x, _mm512_set1_ps(at[g][0]));

                score = _mm512_fmadd_ps(y, _mm512_set1_ps(at[g][1]), score);
                score = _mm512_fmadd_ps(z, _mm512_set1_ps(at[g][2]), score);
                top[g] = _mm512_max_ps(top[g], score);
            }
        }
        for (size_t g = 0; g < GROUP; g++)
            _mm512_store_ps(best + (g * blocks + b) * LANES, top[g]);
    }
}

/* The helpers are compiled into this function, so they use its instructions too. */
__attribute__((target("avx512f"))) static void answer_group(const struct knn *p, size_t first)
{
    float at[GROUP][3];

    /* A last group that is not full repeats the last observation. */
    for (size_t g = 0; g < GROUP; g++) {
        size_t i = first + g < p->m ? first + g : p->m - 1;

        unit_vector(p->obs_lat, p->obs_lon, i, (struct units){&at[g][0], &at[g][1], &at[g][2]}, 0);
    }
    best_of_tiles(at);
    for (size_t g = 0; g < GROUP && first + g < p->m; g++)
        answer_by_tiles(&work, p, first + g, at[g], ref, best + g * blocks * LANES);
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    unit_vectors(p, ref);
    pack(ref, p->n, LANES, packed);
    for (size_t i = 0; i < p->m; i += GROUP)
        answer_group(p, i);
}

static void release(void)
{
    units_free(ref);
    workspace_free(work);
    free(packed);
    free(best);
}

VARIANT(.idea = "AVX-512: sixteen pairs an instruction",
        .base = "cpu_simd",
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
