/* Shared by cpu_simd_openmp and cpu_halved: the terms of Y on all cores. */
#ifndef RUNGS_AXXAT_PACKED_TERMS_H
#define RUNGS_AXXAT_PACKED_TERMS_H

#include "packed.h"
#include "../matmul/kernel_avx2.h"
#include "../matmul/kernel_avx512.h"

/* A block of Y: a multiple of both kernels' rows (6 and 12) and columns (16 and 32). */
enum { BLOCK_ROWS = 48, BLOCK_COLS = 256 };

/* Fewer multiplications than this take no longer than waking the threads. */
static const size_t worth_threads = 64 * 64 * 64;

static const struct kernel *kernel;

static const char *refuse_terms(const void *problem)
{
    (void)problem;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return "this CPU has no AVX2 and FMA";
    return NULL;
}

static void prepare_terms(const void *problem)
{
    kernel = __builtin_cpu_supports("avx512f") ? &kernel_avx512 : &kernel_avx2;
    packed_alloc(kernel, problem);
}

/* One slice of one term; called by all threads together. */
static void add_slice(const struct axxat *p, int term, size_t l, size_t depth)
{
    const size_t n = p->n;

#pragma omp for schedule(static) nowait
    for (size_t i = 0; i < n; i += kernel->rows)
        pack_left(kernel, p, term, i, l, depth);
#pragma omp for schedule(static)
    for (size_t j = 0; j < n; j += kernel->cols)
        pack_right(kernel, p, term, j, l, depth);
#pragma omp for collapse(2) schedule(dynamic)
    for (size_t i = 0; i < n; i += BLOCK_ROWS)
        for (size_t j = 0; j < n; j += BLOCK_COLS)
            add_block(kernel, p, i, min(i + BLOCK_ROWS, n), j, min(j + BLOCK_COLS, n), depth, term > 0 || l > 0);
}

/* Computes Y of the first `terms` terms: of A*X alone, or of both. */
static void add_terms(const struct axxat *p, int terms)
{
    const size_t most = slice_depth(kernel, p->n);

#pragma omp parallel if (p->n * p->n * p->n > worth_threads)
    for (int term = 0; term < terms; term++)
        for (size_t l = 0; l < p->n; l += most)
            add_slice(p, term, l, min(most, p->n - l));
}

#endif
