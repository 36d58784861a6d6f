/*
 * knn / cpu_faces
 *
 * Idea     A multiply-add less: divided by its largest component, an observation has only two
 *          numbers left to multiply with (faces.h).  Observations with the same largest one go
 *          together.
 * Against  cpu_simd_openmp, which takes three, and walks through all references for every four
 *          observations; here a block of them stays in cache while hundreds pass by.
 * Expect   Half as much again: eight pairs a clock of each core, where it has two units for
 *          multiply-add of eight lanes.  What an answer costs besides its pairs then weighs more.
 * Try      In faces.h, PASS = 64: how many groups are filled up with observations that repeat?
 */
#include <immintrin.h>
#include <omp.h>

#include "common/knn.h"
#include "common/variant.h"
#include "exact.h" /* units, workspace, unit_vectors, pack, answer_by_tiles */
#include "faces.h" /* faced, sort_by_face, PASS, GROUP, ROOM */

enum { LANES = 8 };

static struct units ref;
static float *packed; /* [block][TILE][x, y, z][LANES] */
static size_t blocks;
static size_t threads;

static struct thread {
    struct workspace work;
    float *best; /* [ROOM][tiles of all blocks] */
} *thread; /* [threads] */

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
               ? NULL
               : "needs a CPU with AVX2 and FMA";
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
        thread[t].best = floats(ROOM * blocks * LANES, CHUNK);
    }
}

/* Of one block's tiles the best scores for GROUP observations on one face. */
__attribute__((target("avx2,fma")))
static void best_of_block(size_t b, const struct faced *group, float *best)
{
    const float *row = packed + b * TILE * 3 * LANES;
    const size_t first = group->first * LANES, second = group->second * LANES,
                 third = group->third * LANES;
    const __m256 sign = _mm256_set1_ps(group->sign);
    __m256 top[GROUP], at2[GROUP], at3[GROUP];

    for (size_t g = 0; g < GROUP; g++) {
        top[g] = _mm256_set1_ps(-4); /* below any score */
        at2[g] = _mm256_set1_ps(group[g].at[group->second]);
        at3[g] = _mm256_set1_ps(group[g].at[group->third]);
    }
    for (size_t step = 0; step < TILE; step++, row += 3 * LANES) {
        __m256 x = _mm256_xor_ps(_mm256_load_ps(row + first), sign);
        __m256 y = _mm256_load_ps(row + second);
        __m256 z = _mm256_load_ps(row + third);

        for (size_t g = 0; g < GROUP; g++) {
            __m256 score = _mm256_fmadd_ps(y, at2[g], x);

            top[g] = _mm256_max_ps(top[g], _mm256_fmadd_ps(z, at3[g], score));
        }
    }
    for (size_t g = 0; g < GROUP; g++)
        _mm256_store_ps(best + (g * blocks + b) * LANES, top[g]);
}

/* Answers `count` observations, PASS at most. */
__attribute__((target("avx2,fma")))
static void answer_pass(struct thread *t, const struct knn *p, size_t first, size_t count)
{
    struct faced sorted[ROOM];
    size_t taken = sort_by_face(p, first, count, sorted);

    for (size_t b = 0; b < blocks; b++)
        for (size_t g = 0; g < taken; g += GROUP)
            best_of_block(b, sorted + g, t->best + g * blocks * LANES);
    for (size_t g = 0; g < taken; g++)
        if (sorted[g].i != REPEATED)
            answer_by_tiles(&t->work, p, sorted[g].i, sorted[g].at, ref,
                            t->best + g * blocks * LANES);
}

static void run(const void *problem)
{
    const struct knn *p = problem;

#pragma omp parallel num_threads((int)threads)
    {
        unit_vectors(p, ref);
        pack(ref, p->n, LANES, packed);
#pragma omp for schedule(dynamic)
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

VARIANT(.idea = "AVX2, and two multiply-adds a pair instead of three",
        .base = "cpu_simd_openmp",
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
