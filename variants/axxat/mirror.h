/*
 * Pairs of 32 x 32 blocks of a matrix that lie opposite each other: one on or above the diagonal, the other below it.  A
 * block of 32 x `step` threads handles a pair; x and y are a thread's place there.
 */
#ifndef RUNGS_AXXAT_MIRROR_H
#define RUNGS_AXXAT_MIRROR_H

#include <stddef.h>

enum { SIDE = 32, SIDE_STEP = 8 /* of kernels that do nothing else */ };

typedef float side_block[SIDE][SIDE + 1]; /* padded: it is read down its columns, too */

/* Past the first-level cache: another multiprocessor may have written it in this launch. */
__device__ static void load_block(side_block to, const float *from, size_t n, size_t i0, size_t j0, unsigned x,
                                  unsigned y, unsigned step)
{
    for (unsigned r = y; r < SIDE; r += step)
        to[r][x] = i0 + r < n && j0 + x < n ? __ldcg(&from[(i0 + r) * n + j0 + x]) : 0;
}

/* Stores there a block plus the transpose of the other one. */
__device__ static void store_sum(float *to, size_t n, size_t i0, size_t j0, const side_block one,
                                 const side_block other, unsigned x, unsigned y, unsigned step)
{
    for (unsigned r = y; r < SIDE; r += step)
        if (i0 + r < n && j0 + x < n)
            to[(i0 + r) * n + j0 + x] = one[r][x] + other[x][r];
}

/* Adds to the block at i0, j0 the transpose of that at j0, i0, and the other way round; all threads of the block call it. */
__device__ static void add_transposes(float *matrix, size_t n, size_t i0, size_t j0, unsigned x, unsigned y,
                                      unsigned step)
{
    __shared__ side_block one, other;

    load_block(one, matrix, n, i0, j0, x, y, step);
    load_block(other, matrix, n, j0, i0, x, y, step);
    __syncthreads();
    store_sum(matrix, n, i0, j0, one, other, x, y, step);
    if (i0 != j0)
        store_sum(matrix, n, j0, i0, other, one, x, y, step);
    __syncthreads(); /* all threads have read them */
}

#endif
