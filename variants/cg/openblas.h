/* Shared by cpu_openblas and cpu_openblas_symv: what the library needs besides its call. */
#ifndef RUNGS_CG_OPENBLAS_H
#define RUNGS_CG_OPENBLAS_H

#include <cblas.h>
#include <limits.h>
#include <omp.h>

#include "iterate.h"

static const char *refuse_size(const void *problem)
{
    /* blasint is an int in the usual build; it may have 64 bits in others. */
    return ((const struct cg *)problem)->n > INT_MAX ? "BLAS counts in int: no side may exceed 2^31 - 1" : NULL;
}

static void prepare(const void *problem)
{
    const int threads = omp_get_max_threads(), processors = omp_get_num_procs();

    iterate_prepare(problem);
    /* OpenBLAS may have threads of its own, which ignore OpenMP.  More than these it would start here and never end. */
    openblas_set_num_threads(threads < processors ? threads : processors);
}

#endif
