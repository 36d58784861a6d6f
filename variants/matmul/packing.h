/*
 * Shared by cpu_packed, cpu_simd, cpu_avx512, cpu_simd_openmp and cpu_any_shape: panels of A and B,
 * and the loops over tiles, for a micro-kernel of any shape.
 *
 *     slice of A, depth columns         slice of B, depth rows
 *     +-----------+                     +----+----+----+----+
 *     | 0   --->  | a panel: some rows, | 0  | 1  | 2  | 3  |  a panel: some columns,
 *     +-----------+ stored column by    | |  |    |    |    |  stored row by row
 *     | 1         | column              | v  |    |    |    |
 *     +-----------+                     +----+----+----+----+
 *
 * The arrows show the order in memory.  Panel i of A times panel j of B is tile [i][j] of C, and
 * both are read from end to end for it.
 */
#ifndef RUNGS_MATMUL_PACKING_H
#define RUNGS_MATMUL_PACKING_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/matmul.h"

enum {
    TILE_FLOATS = 384, /* the largest tile, 12 x 32 */
    CACHE_LINE = 64    /* bytes */
};

/* c = a*b, or c += a*b, for a packed panel of A, of B, and the tile of C where they meet. */
struct kernel {
    void (*tile)(size_t k, const float *a, const float *b, float *c, size_t stride, bool add);
    size_t rows, cols; /* of the tile */
    size_t depth;      /* of a slice, at most: C is loaded and stored once for each */
};

/* One slice of A, as panels of kernel->rows rows: [panel][l][row].
   One slice of B, as panels of kernel->cols columns: [panel][l][column]. */
static float *a_packed, *b_packed;

static size_t min(size_t x, size_t y)
{
    return x < y ? x : y;
}

static size_t round_up(size_t x, size_t step)
{
    return (x + step - 1) / step * step;
}

/* Returns the depth of a slice.  k is cut into equal slices, because a short last one would load and store all of C
   for a few multiplications. */
static size_t slice_depth(const struct kernel *kernel, size_t k)
{
    const size_t slices = (k + kernel->depth - 1) / kernel->depth;

    return slices > 0 ? (k + slices - 1) / slices : 0;
}

static void packing_alloc(const struct kernel *kernel, const struct matmul *p)
{
    const size_t bytes = slice_depth(kernel, p->k) * sizeof(float);

    const size_t a_bytes = round_up(p->m, kernel->rows) * bytes;
    const size_t b_bytes = round_up(p->n, kernel->cols) * bytes;

    a_packed = aligned_alloc(CACHE_LINE, round_up(a_bytes, CACHE_LINE));
    b_packed = aligned_alloc(CACHE_LINE, round_up(b_bytes, CACHE_LINE));
}

static void packing_free(void)
{
    free(a_packed);
    free(b_packed);
}

/* Packs the panel of A whose first row is i, columns l0 to l0 + depth - 1.  Rows below the last are 0.  It takes one
   cache line of each row in turn, so that the lines of all rows are fetched at the same time. */
static void pack_a(const struct kernel *kernel, const struct matmul *p, size_t i, size_t l0,
                   size_t depth, float *panel)
{
    const size_t rows = kernel->rows, there = min(rows, p->m - i);
    const float *a = &p->a[i * p->k + l0];

    for (size_t line = 0; line < depth; line += CACHE_LINE / sizeof(float)) {
        const size_t end = min(line + CACHE_LINE / sizeof(float), depth);

        for (size_t r = 0; r < rows; r++)
            for (size_t l = line; l < end; l++)
                panel[l * rows + r] = r < there ? a[r * p->k + l] : 0;
    }
}

/* Packs the panel of B whose first column is j, rows l0 to l0 + depth - 1.  Columns past the last are 0. */
static void pack_b(const struct kernel *kernel, const struct matmul *p, size_t j, size_t l0,
                   size_t depth, float *panel)
{
    const size_t cols = kernel->cols, there = min(cols, p->n - j);

    for (size_t l = 0; l < depth; l++, panel += cols) {
        memcpy(panel, &p->b[(l0 + l) * p->n + j], there * sizeof(float));
        memset(panel + there, 0, (cols - there) * sizeof(float));
    }
}

/* Computes a tile that reaches beyond the edge of C in a buffer, and copies the part that exists. */
static void edge_tile(const struct kernel *kernel, size_t depth, const float *a, const float *b,
                      float *c, size_t stride, bool add, size_t rows, size_t cols)
{
    _Alignas(CACHE_LINE) float tile[TILE_FLOATS];

    kernel->tile(depth, a, b, tile, kernel->cols, false);
    for (size_t r = 0; r < rows; r++)
        for (size_t q = 0; q < cols; q++)
            c[r * stride + q] = (add ? c[r * stride + q] : 0) + tile[r * kernel->cols + q];
}

/* Computes rows i0 to i1 - 1 and columns j0 to j1 - 1 of C, where the panels begin.  One panel of B stays
   in L1 while all panels of A pass over it; those stay in L2 for the next panel of B. */
static void multiply_block(const struct kernel *kernel, const struct matmul *p, size_t i0,
                           size_t i1, size_t j0, size_t j1, size_t depth, bool add,
                           const float *a_panels, const float *b_panels)
{
    for (size_t j = j0; j < j1; j += kernel->cols)
        for (size_t i = i0; i < i1; i += kernel->rows) {
            const size_t rows = min(kernel->rows, i1 - i), cols = min(kernel->cols, j1 - j);
            const float *a = &a_panels[(i - i0) * depth], *b = &b_panels[(j - j0) * depth];
            float *c = &p->c[i * p->n + j];

            if (rows == kernel->rows && cols == kernel->cols)
                kernel->tile(depth, a, b, c, p->n, add);
            else
                edge_tile(kernel, depth, a, b, c, p->n, add, rows, cols);
        }
}

#endif
