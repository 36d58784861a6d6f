/*
 * cg / cpu_symmetric
 *
 * Idea     Half of A is the other half.  Of each row only what is left of the diagonal is read: a_ij p_j adds to q_i, and
 *          a_ij p_i to q_j.  Each thread has a q of its own, and these are added up.
 * Against  cpu_simd_openmp, which reads all of A.
 * Expect   Twice as fast where memory is the limit.  In a cache it is slower: q_j is loaded and stored for each element.
 * Try      n = 512 and n = 8192.
 * Level    2
 * Read     iterate.h
 */
#include <omp.h>

#include "common/cg.h"
#include "common/variant.h"
#include "iterate.h" /* iterate, iterate_prepare, iterate_release */

static float *own; /* [threads][n] */

static void prepare(const void *problem)
{
    const size_t n = ((const struct cg *)problem)->n;

    iterate_prepare(problem);
    own = malloc((size_t)omp_get_max_threads() * n * sizeof(float));
}

/* Rows get longer, so they are dealt out in turns: each thread has as many long ones as any other. */
static void add_rows(const struct cg *s, const float *p, float *q, size_t first, size_t step)
{
    const size_t n = s->n;

    for (size_t i = first; i < n; i += step) {
        const float *a = s->a + i * n, pi = p[i];
        float sum = 0;

#pragma omp simd reduction(+ : sum)
        for (size_t j = 0; j < i; j++) {
            sum += a[j] * p[j];
            q[j] += a[j] * pi;
        }
        q[i] += sum + a[i] * pi;
    }
}

static void multiply(const struct cg *s, const float *p, float *q)
{
    const size_t n = s->n;

#pragma omp parallel
    {
        const size_t me = (size_t)omp_get_thread_num(), threads = (size_t)omp_get_num_threads();

        memset(own + me * n, 0, n * sizeof(float));
        add_rows(s, p, own + me * n, me, threads);
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
        .prepare = prepare,
        .run = run,
        .release = release)
