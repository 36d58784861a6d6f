/*
 * matmul / cpu_packed
 *
 * Idea     Copy A and B, one slice at a time, into the order in which the tiles read them: panels
 *          that are read from end to end.  packing.h does it; read that first.
 * Against  cpu_tiled, whose tile jumps from row to row of B and of A.
 * Expect   One copy more, and still a gain where rows lie a power of two apart, because there the
 *          jumps fall into the same few sets of the cache.  Bound by arithmetic: four floats per
 *          instruction, without fused multiply-adds.
 * Try      n = 1024 and n = 1000, here and with cpu_tiled.
 * Level    2
 * Read     packing.h
 */
#include "common/matmul.h"
#include "common/variant.h"
#include "packing.h" /* packing_alloc, packing_free, pack_a, pack_b, multiply_block */

enum { ROWS = 4, COLS = 8 }; /* of a tile, as in cpu_tiled */

/* 128 rows of A, 384 deep, are 192 KiB: they stay in the second-level cache. */
enum { BLOCK_ROWS = 128 };

static void multiply_tile(size_t k, const float *a, const float *b, float *c, size_t stride,
                          bool add)
{
    float sum[ROWS][COLS] = {{0}};

    for (size_t l = 0; l < k; l++)
        for (size_t r = 0; r < ROWS; r++)
#pragma omp simd
            for (size_t q = 0; q < COLS; q++)
                sum[r][q] += a[l * ROWS + r] * b[l * COLS + q];

    for (size_t r = 0; r < ROWS; r++)
        for (size_t q = 0; q < COLS; q++)
            c[r * stride + q] = (add ? c[r * stride + q] : 0) + sum[r][q];
}

static const struct kernel kernel = {.tile = multiply_tile, .rows = ROWS, .cols = COLS, .depth = 384};

static void prepare(const void *problem)
{
    packing_alloc(&kernel, problem);
}

static void run(const void *problem)
{
    const struct matmul *p = problem;
    size_t l = 0;

    do { /* once even for k = 0: that writes the zeros */
        const size_t depth = min(slice_depth(&kernel, p->k), p->k - l);

        for (size_t i = 0; i < p->m; i += ROWS)
            pack_a(&kernel, p, i, l, depth, &a_packed[i * depth]);
        for (size_t j = 0; j < p->n; j += COLS)
            pack_b(&kernel, p, j, l, depth, &b_packed[j * depth]);
        for (size_t i = 0; i < p->m; i += BLOCK_ROWS)
            multiply_block(&kernel, p, i, min(i + BLOCK_ROWS, p->m), 0, p->n, depth, l > 0,
                           &a_packed[i * depth], b_packed);
        l += depth;
    } while (l < p->k);
}

VARIANT(.idea = "panels copied into the order of their use",
        .base = "cpu_tiled",
        .prepare = prepare,
        .run = run,
        .release = packing_free)
