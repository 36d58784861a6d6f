/*
 * qr / cpu_openblas
 *
 * Idea     Call the library: sgeqrf_ and sorgqr_ of LAPACK, which OpenBLAS has.  They want columns one after another, so
 *          A is transposed first, and Q back.  Rows of R and columns of Q are turned where R's diagonal is negative.
 * Against  cpu_simd_openmp, our own blocks of rows.
 * Expect   Square matrices: blocked reflectors, hence products.  Long ones: panels as high as the matrix, from memory.
 * Try      sgelqf_ and sorglq_: rows of A are columns of its transpose, and nothing is to be transposed.
 * Level    1
 * Read     nothing else
 */
/* needs: openblas */
#include <cblas.h>
#include <limits.h>
#include <omp.h>
#include <stdlib.h>

#include "common/qr.h"
#include "common/variant.h"

/* Of LAPACK, in Fortran: all arguments are addresses. */
void sgeqrf_(const blasint *m, const blasint *n, float *a, const blasint *lda, float *tau, float *work,
             const blasint *lwork, blasint *info);
void sorgqr_(const blasint *m, const blasint *n, const blasint *k, float *a, const blasint *lda, const float *tau,
             float *work, const blasint *lwork, blasint *info);

static float *columns; /* [n][m] A, then reflectors and R, then Q */
static float *tau, *work, *sign;
static blasint work_size;

static const char *refuse(const void *problem)
{
    const struct qr *p = problem;

    return p->m > INT_MAX ? "LAPACK counts in int: no side may exceed 2^31 - 1" : NULL;
}

static void prepare(const void *problem)
{
    const struct qr *p = problem;
    const int threads = omp_get_max_threads(), processors = omp_get_num_procs();
    const blasint m = (blasint)p->m, n = (blasint)p->n, lead = m > 0 ? m : 1, ask = -1;
    float first = 1.0f, second = 1.0f;
    blasint info = 0;

    /* OpenBLAS may have threads of its own, which ignore OpenMP.  More than these it would start here and never end. */
    openblas_set_num_threads(threads < processors ? threads : processors);
    columns = malloc((p->m * p->n + 1) * sizeof *columns);
    tau = malloc((p->n + 1) * sizeof *tau);
    sign = malloc((p->n + 1) * sizeof *sign);
    sgeqrf_(&m, &n, columns, &lead, tau, &first, &ask, &info);
    sorgqr_(&m, &n, &n, columns, &lead, tau, &second, &ask, &info);
    work_size = (blasint)(first > second ? first : second) + 1;
    work = malloc((size_t)work_size * sizeof *work);
}

static void write_r(const struct qr *p)
{
    for (size_t k = 0; k < p->n; k++) {
        sign[k] = columns[k * p->m + k] < 0.0f ? -1.0f : 1.0f;
        for (size_t j = 0; j < p->n; j++)
            p->r[k * p->n + j] = j < k ? 0.0f : sign[k] * columns[j * p->m + k];
    }
}

static void run(const void *problem)
{
    const struct qr *p = problem;
    const blasint m = (blasint)p->m, n = (blasint)p->n, lead = m > 0 ? m : 1;
    blasint info = 0;

#pragma omp parallel for
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++)
            columns[j * p->m + i] = p->a[i * p->n + j];
    sgeqrf_(&m, &n, columns, &lead, tau, work, &work_size, &info);
    write_r(p);
    sorgqr_(&m, &n, &n, columns, &lead, tau, work, &work_size, &info);
#pragma omp parallel for
    for (size_t i = 0; i < p->m; i++)
        for (size_t j = 0; j < p->n; j++)
            p->q[i * p->n + j] = sign[j] * columns[j * p->m + i];
}

static void release(void)
{
    free(columns);
    free(tau);
    free(work);
    free(sign);
}

VARIANT(.idea = "OpenBLAS's sgeqrf and sorgqr, all cores",
        .base = "cpu_simd_openmp",
        .traits = TRAIT_CORES,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
