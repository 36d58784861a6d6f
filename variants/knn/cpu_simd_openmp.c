/*
 * knn / cpu_simd_openmp
 *
 * Idea     All cores, each with vector instructions.  Preparing the references is shared too: it
 *          is little work, but whatever one core does while the others wait counts for them all.
 * Against  cpu_simd, the same on one core.
 * Expect   As much more as there are cores: each works out of its own caches.  With few
 *          observations, starting the threads and preparing the references is what one sees.
 * Try      m = 2^8, 2^12, 2^16 at n = 2^10: from where on do all cores pay?
 * Level    2
 * Read     exact.h
 */
#include <immintrin.h>
#include <omp.h>

#include "common/knn.h"
#include "common/variant.h"
#include "exact.h" /* units, workspace, unit_vectors, pack, answer_by_tiles */

enum { LANES = 8, GROUP = 4 };

static struct units ref;
static float *packed; /* [block][TILE][x, y, z][LANES] */
static size_t blocks;
static size_t threads;

static struct thread {
    struct workspace work;
    float *best; /* [GROUP][tiles of all blocks] */
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
        thread[t].best = floats(GROUP * blocks * LANES, CHUNK);
    }
}

__attribute__((target("avx2,fma"))) static void best_of_tiles(float at[GROUP][3], float *best)
{
    for (size_t b = 0; b < blocks; b++) {
        const float *row = packed + b * TILE * 3 * LANES;
        __m256 top[GROUP];

        for (size_t g = 0; g < GROUP; g++)
            top[g] = _mm256_set1_ps(-2); /* below any score */
        for (size_t step = 0; step < TILE; step++, row += 3 * LANES) {
            __m256 x = _mm256_load_ps(row);
            __m256 y = _mm256_load_ps(row + LANES);
            __m256 z = _mm256_load_ps(row + 2 * LANES);

            for (size_t g = 0; g < GROUP; g++) {
                __m256 score = _mm256_mul_ps(x, _mm256_set1_ps(at[g][0]));

                score = _mm256_fmadd_ps(y, _mm256_set1_ps(at[g][1]), score);
                score = _mm256_fmadd_ps(z, _mm256_set1_ps(at[g][2]), score);
                top[g] = _mm256_max_ps(top[g], score);
            }
        }
        for (size_t g = 0; g < GROUP; g++)
            _mm256_store_ps(best + (g * blocks + b) * LANES, top[g]);
    }
}

/* The helpers are compiled into this function, so they use its instructions too. */
__attribute__((target("avx2,fma")))
static void answer_group(struct thread *t, const struct knn *p, size_t first)
{
    float at[GROUP][3];

    /* A last group that is not full repeats the last observation. */
    for (size_t g = 0; g < GROUP; g++) {
        size_t i = first + g < p->m ? first + g : p->m - 1;

        unit_vector(p->obs_lat, p->obs_lon, i, (struct units){&at[g][0], &at[g][1], &at[g][2]}, 0);
    }
    best_of_tiles(at, t->best);
    for (size_t g = 0; g < GROUP && first + g < p->m; g++)
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
        for (size_t i = 0; i < p->m; i += GROUP)
            answer_group(&thread[omp_get_thread_num()], p, i);
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

VARIANT(.idea = "AVX2 on all cores, each with its share of the observations",
        .base = "cpu_simd",
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
