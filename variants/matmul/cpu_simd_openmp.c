/*
 * matmul / cpu_simd_openmp
 *
 * Idea     All cores, each with the widest vectors it has.  For each slice of l, the cores first
 *          pack the panels together, then take blocks of C from a shared queue until none is left.
 * Against  cpu_avx512 (or cpu_simd), the same micro-kernel on one core.
 * Expect   Nearly as many times faster as there are cores: blocks share only the packed panels,
 *          which are read and not written.  Below some hundred rows, starting threads and waiting
 *          at the two barriers of a slice cost as much as the cores save.
 * Try      schedule(static) on the loop over blocks, while something else runs on the machine.
 * Level    2
 * Read     kernel_avx2.h, packing.h, kernel_avx512.h
 */
#include <immintrin.h>

#include "common/matmul.h"
#include "common/variant.h"
#include "kernel_avx2.h"   /* kernel_avx2 */
#include "kernel_avx512.h" /* kernel_avx512 */
#include "packing.h"       /* packing_alloc, packing_free, pack_a, pack_b, multiply_block */

/* A block of C: a multiple of both kernels' rows (6 and 12) and columns (16 and 32).  Its part of A, 48 x 1024
   floats, is 192 KiB, and stays in the second-level cache.  Larger blocks would load the panels less often.  Smaller
   ones occupy more cores, and shorten the wait for the last one. */
enum { BLOCK_ROWS = 48, BLOCK_COLS = 256 };

/* Fewer multiplications than this take no longer than waking the threads. */
static const size_t worth_threads = 64 * 64 * 64;

static const struct kernel *kernel;

static const char *refuse(const void *problem)
{
    (void)problem;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return "this CPU has no AVX2 and FMA";
    return NULL;
}

static void prepare(const void *problem)
{
    kernel = __builtin_cpu_supports("avx512f") ? &kernel_avx512 : &kernel_avx2;
    packing_alloc(kernel, problem);
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

#pragma omp parallel if (p->m * p->n * p->k > worth_threads)
    {
        size_t l = 0;

        do { /* once even for k = 0: that writes the zeros */
            const size_t depth = min(slice_depth(kernel, p->k), p->k - l);

#pragma omp for schedule(static) nowait
            for (size_t i = 0; i < p->m; i += kernel->rows)
                pack_a(kernel, p, i, l, depth, &a_packed[i * depth]);
#pragma omp for schedule(static)
            for (size_t j = 0; j < p->n; j += kernel->cols)
                pack_b(kernel, p, j, l, depth, &b_packed[j * depth]);
#pragma omp for collapse(2) schedule(dynamic)
            for (size_t i = 0; i < p->m; i += BLOCK_ROWS)
                for (size_t j = 0; j < p->n; j += BLOCK_COLS)
                    multiply_block(kernel, p, i, min(i + BLOCK_ROWS, p->m), j,
                                   min(j + BLOCK_COLS, p->n), depth, l > 0,
                                   &a_packed[i * depth], &b_packed[j * depth]);
            l += depth;
        } while (l < p->k);
    }
}

VARIANT(.idea = "all cores, and the widest vectors there are",
        .base = "cpu_avx512",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = packing_free)
