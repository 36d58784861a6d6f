/*
 * cg / cpu_symmetric
 *
 * Idea     Half of A is the other half.  Of each row only what is left of the diagonal is read: a_ij p_j adds to q_i, and
 *          a_ij p_i to q_j.  Each thread has a q of its own, and these are added up.
 * Against  cpu_simd_openmp, which reads all of A.
 * Expect   Twice as fast where memory is the limit.  In a cache q costs a load and a store for four elements of A.
 * Try      n = 512 and n = 8192.
 * Level    2
 * Read     iterate.h, rows_avx2.h
 */
#include <immintrin.h>
#include <omp.h>

#include "common/cg.h"
#include "common/variant.h"
#include "iterate.h"   /* iterate, iterate_prepare, iterate_release */
#include "rows_avx2.h" /* refuse_avx2, add_lanes, ROWS */

static float *own; /* [threads][n] */

static void prepare(const void *problem)
{
    const size_t n = ((const struct cg *)problem)->n;

    iterate_prepare(problem);
    own = malloc((size_t)omp_get_max_threads() * n * sizeof(float));
}

/* Four rows left of the diagonal: p and q are loaded, and q stored, once for four.  Returns the column behind the last. */
__attribute__((target("avx2,fma"))) static size_t add_left(const float *const a[ROWS], const float *p, float *q, size_t i,
                                                           const float factor[ROWS], float sum[ROWS])
{
    __m256 sums[ROWS], factors[ROWS];
    size_t j = 0;

    for (int r = 0; r < ROWS; r++) {
        sums[r] = _mm256_setzero_ps();
        factors[r] = _mm256_set1_ps(factor[r]);
    }
    for (; j + 8 <= i; j += 8) {
        const __m256 pj = _mm256_loadu_ps(p + j);
        __m256 qj = _mm256_loadu_ps(q + j);

#pragma GCC unroll 4
        for (int r = 0; r < ROWS; r++) {
            const __m256 v = _mm256_loadu_ps(a[r] + j);

            sums[r] = _mm256_fmadd_ps(v, pj, sums[r]);
            qj = _mm256_fmadd_ps(v, factors[r], qj);
        }
        _mm256_storeu_ps(q + j, qj);
    }
    for (int r = 0; r < ROWS; r++)
        sum[r] = add_lanes(sums[r]);
    return j;
}

/* Rows i to i + ROWS - 1, up to the diagonal. */
static void add_rows(const struct cg *s, const float *p, float *q, size_t i)
{
    const size_t n = s->n, rows = n - i < ROWS ? n - i : ROWS;
    const float *a[ROWS];
    float factor[ROWS], sum[ROWS];

    for (size_t r = 0; r < ROWS; r++) {
        a[r] = s->a + (i + (r < rows ? r : 0)) * n;
        factor[r] = r < rows ? p[i + r] : 0; /* rows beyond add nothing */
    }
    const size_t behind = add_left(a, p, q, i, factor, sum);
    for (size_t r = 0; r < rows; r++) {
        for (size_t j = behind; j < i + r; j++) {
            sum[r] += a[r][j] * p[j];
            q[j] += a[r][j] * factor[r];
        }
        q[i + r] += sum[r] + a[r][i + r] * factor[r];
    }
}

static void multiply(const struct cg *s, const float *p, float *q)
{
    const size_t n = s->n;

#pragma omp parallel if (n >= 128) /* less takes no longer than waking the threads */
    {
        const size_t me = (size_t)omp_get_thread_num(), threads = (size_t)omp_get_num_threads();

        memset(own + me * n, 0, n * sizeof(float));
        /* Rows get longer, so they are dealt out in turns: each thread has as many long ones as any other. */
        for (size_t i = me * ROWS; i < n; i += threads * ROWS)
            add_rows(s, p, own + me * n, i);
#pragma omp barrier
#pragma omp for schedule(static)
        for (size_t j = 0; j < n; j++) {
            float sum = 0;

            for (size_t t = 0; t < threads; t++)
                sum += own[t * n + j];
            q[j] = sum;
        }
    }
}

static void run(const void *problem)
{
    iterate(problem, multiply);
}

static void release(void)
{
    free(own);
    iterate_release();
}

VARIANT(.idea = "half of A is read: each element serves two rows",
        .base = "cpu_simd_openmp",
        .refuse = refuse_avx2,
        .prepare = prepare,
        .run = run,
        .release = release)
