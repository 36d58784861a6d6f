/* Shared by cpu_openblas and cpu_openblas_syr2k: what the library needs besides its call. */
#ifndef RUNGS_AXXAT_OPENBLAS_H
#define RUNGS_AXXAT_OPENBLAS_H

#include <cblas.h>
#include <limits.h>
#include <omp.h>

#include "common/axxat.h"

static const char *refuse_size(const void *problem)
{
    const struct axxat *p = problem;

    /* blasint is an int in the usual build; it may have 64 bits in others. */
    return p->n > INT_MAX ? "BLAS counts in int: no side may exceed 2^31 - 1" : NULL;
}

static void prepare(const void *problem)
{
    const int threads = omp_get_max_threads(), processors = omp_get_num_procs();

    (void)problem;
    /* OpenBLAS may have threads of its own, which ignore OpenMP.  More than these it would start here and never end. */
    openblas_set_num_threads(threads < processors ? threads : processors);
}

#endif
