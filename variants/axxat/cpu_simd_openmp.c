/*
 * axxat / cpu_simd_openmp
 *
 * Idea     All cores, each with the widest vectors it has.  For each slice of either term the cores first pack the panels
 *          together, then take blocks of Y from a shared queue.
 * Against  cpu_simd, one core and AVX2.
 * Expect   0.85 of the arithmetic of all cores.  At n = 512 each term is one slice, so there are two barriers a term.
 * Try      n = 64 and 128: from which n on do threads pay?
 * Level    2
 * Read     packed.h, packed_terms.h, ../matmul/kernel_avx2.h, ../matmul/kernel_avx512.h, ../matmul/packing.h
 */
#include <immintrin.h>

#include "common/axxat.h"
#include "common/variant.h"
#include "packed_terms.h" /* refuse_terms, prepare_terms, add_terms, packing_free */

static void run(const void *problem)
{
    add_terms(problem, 2);
}

VARIANT(.idea = "all cores, and the widest vectors there are",
        .base = "cpu_simd",
        .refuse = refuse_terms,
        .prepare = prepare_terms,
        .run = run,
        .release = packing_free)
