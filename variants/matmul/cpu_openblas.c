/*
 * matmul / cpu_openblas
 *
 * Idea     Call the library: cblas_sgemm of OpenBLAS, on all cores.
 * Against  cpu_simd_openmp, our own kernel on all cores.
 * Expect   Bound by arithmetic once the matrices are some hundreds wide.  The library has hand-made
 *          kernels and selects those of the CPU that it finds.  A CPU newer than the library gets
 *          an older one's.
 * Try      OPENBLAS_CORETYPE=SANDYBRIDGE: what are fused multiply-adds worth?
 * Level    1
 * Read     nothing else
 */
/* needs: openblas */
#include <cblas.h>
#include <limits.h>
#include <omp.h>

#include "common/matmul.h"
#include "common/variant.h"

static const char *refuse(const void *problem)
{
    const struct matmul *p = problem;

    /* blasint is an int in the usual build; it may have 64 bits in others. */
    if (p->m > INT_MAX || p->n > INT_MAX || p->k > INT_MAX)
        return "BLAS counts in int: no side may exceed 2^31 - 1";
    return NULL;
}

static void prepare(const void *problem)
{
    const int threads = omp_get_max_threads(), processors = omp_get_num_procs();

    (void)problem;
    /* OpenBLAS may have threads of its own, one per processor from the start, which ignore OpenMP and
       OMP_NUM_THREADS.  More than these it would start here and never end. */
    openblas_set_num_threads(threads < processors ? threads : processors);
}

/* The distance between rows must be at least 1, even where there are none. */
static blasint stride(size_t columns)
{
    return columns > 0 ? (blasint)columns : 1;
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (blasint)p->m, (blasint)p->n,
                (blasint)p->k, 1, p->a, stride(p->k), p->b, stride(p->n), 0, p->c, stride(p->n));
}

VARIANT(.idea = "OpenBLAS's sgemm, all cores",
        .base = "cpu_simd_openmp",
        .traits = TRAIT_CORES,
        .refuse = refuse,
        .prepare = prepare,
        .run = run)
