/*
 * knn / cpu_blocked
 *
 * Idea     The references of one block, 12 KB, stay in the first-level cache while 64 observations
 *          pass by; only then comes the next block.  On all cores.
 * Against  cpu_avx512, where every four observations walk through all references, and one core.
 * Expect   Bound by multiply-add on every core.  The blocks are worth something only where the
 *          references are more than the first-level cache holds; the cores are worth it always.
 * Try      PASS = 4, which is no blocking, at n = 2^10 and at n = 2^16.
 * Level    2
 * Read     exact.h
 */
#include <immintrin.h>
#include <omp.h>

#include "common/knn.h"
#include "common/variant.h"
#include "exact.h" /* units, workspace, unit_vectors, pack, answer_by_tiles */

enum { LANES = 16, GROUP = 4, PASS = 64 }; /* PASS: observations that share a block in cache */

static struct units ref;
static float *packed; /* [block][TILE][x, y, z][LANES] */
static size_t blocks;
static size_t threads;

static struct thread {
    struct workspace work;
    float *best; /* [PASS][tiles of all blocks] */
} *thread; /* [threads] */

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
    packed = packed_new(p->n, LANES);
    threads = (size_t)omp_get_max_threads();
    thread = malloc(threads * sizeof *thread);
    for (size_t t = 0; t < threads; t++) {
        thread[t].work = workspace_new(p->n);
        thread[t].best = floats(PASS * blocks * LANES, CHUNK);
    }
}

/* Of one block's tiles the best scores for GROUP observations. */
__attribute__((target("avx512f"))) static void best_of_block(size_t b, float at[][3], float *best)
{
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

/* Answers `count` observations, PASS at most. */
__attribute__((target("avx512f")))
static void answer_pass(struct thread *t, const struct knn *p, size_t first, size_t count)
{
    size_t filled = (count + GROUP - 1) / GROUP * GROUP;
    float at[PASS][3] = {{0}};

    /* A last group that is not full repeats the last observation. */
    for (size_t g = 0; g < filled; g++) {
        size_t i = first + (g < count ? g : count - 1);

        unit_vector(p->obs_lat, p->obs_lon, i, (struct units){&at[g][0], &at[g][1], &at[g][2]}, 0);
    }
    for (size_t b = 0; b < blocks; b++)
        for (size_t g = 0; g < filled; g += GROUP)
            best_of_block(b, at + g, t->best + g * blocks * LANES);
    for (size_t g = 0; g < count; g++)
        answer_by_tiles(&t->work, p, first + g, at[g], ref, t->best + g * blocks * LANES);
}

static void run(const void *problem)
{
    const struct knn *p = problem;

#pragma omp parallel num_threads((int)threads)
    {
        unit_vectors(p, ref);
        pack(ref, p->n, LANES, packed);
#pragma omp for schedule(static)
        for (size_t i = 0; i < p->m; i += PASS)
            answer_pass(&thread[omp_get_thread_num()], p, i, p->m - i < PASS ? p->m - i : PASS);
    }
}

static void release(void)
{
    for (size_t t = 0; t < threads; t++) {
        workspace_free(thread[t].work);
        free(thread[t].best);
    }
    free(thread);
    free(packed);
    units_free(ref);
}

VARIANT(.idea = "blocks of references stay in cache, on all cores",
        .base = "cpu_avx512",
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
