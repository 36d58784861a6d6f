/*
 * The kernel of cuda_shared as a function, for the variants whose idea is the host side: cuda_managed, cuda_unified,
 * cuda_multi and cuda_streams.  cuda_shared explains it.
 */
#ifndef RUNGS_AXXAT_CUDA_KERNEL_H
#define RUNGS_AXXAT_CUDA_KERNEL_H

#include <stddef.h>

/* A block is TILE x STEP threads; each computes ROWS elements, STEP rows apart. */
enum { TILE = 32, ROWS = 4, STEP = TILE / ROWS };

/* Computes the tile of Y whose first element is at row i0, column j0.  `given` is X. */
__device__ static void both_sums(size_t n, size_t i0, size_t j0, const float *a, const float *given, float *to)
{
    __shared__ float a_rows[TILE][TILE], x_columns[TILE][TILE];     /* of the first sum */
    __shared__ float x_rows[TILE][TILE], a_columns[TILE][TILE + 1]; /* of the second; padded: read down its columns */
    const unsigned x = threadIdx.x, y = threadIdx.y;
    float sum[ROWS] = {};

    for (size_t l = 0; l < n; l += TILE) {
        /* Zeros beyond the edges: they add nothing. */
        for (unsigned r = 0; r < TILE; r += STEP) {
            const size_t row = i0 + y + r, column_of_y = j0 + y + r; /* a row of A is a column of A^T */

            a_rows[y + r][x] = row < n && l + x < n ? a[row * n + l + x] : 0;
            x_rows[y + r][x] = row < n && l + x < n ? given[row * n + l + x] : 0;
            x_columns[y + r][x] = l + y + r < n && j0 + x < n ? given[(l + y + r) * n + j0 + x] : 0;
            a_columns[y + r][x] = column_of_y < n && l + x < n ? a[column_of_y * n + l + x] : 0;
        }
        __syncthreads(); /* all tiles are complete */
        for (unsigned t = 0; t < TILE; t++)
            for (unsigned r = 0; r < ROWS; r++) {
                sum[r] += a_rows[y + r * STEP][t] * x_columns[t][x];
                sum[r] += x_rows[y + r * STEP][t] * a_columns[x][t];
            }
        __syncthreads(); /* all threads have read them */
    }
    for (unsigned r = 0; r < ROWS; r++)
        if (i0 + y + r * STEP < n && j0 + x < n)
            to[(i0 + y + r * STEP) * n + j0 + x] = sum[r];
}

static inline unsigned tiles_in(size_t length)
{
    return (unsigned)((length + TILE - 1) / TILE);
}

#endif
