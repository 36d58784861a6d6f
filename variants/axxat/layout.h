/*
 * Y as one product on the device, for matmul's kernels, whose host side it uses (../matmul/cuda_buffers.h):
 *
 *     d_a = (A, X), n x 2n      d_b = ( X   ), 2n x n
 *                                     ( A^T )
 *
 * upload brings A and X to their places in d_a.  d_b is made from d_a, as a part of each run.
 */
#ifndef RUNGS_AXXAT_LAYOUT_H
#define RUNGS_AXXAT_LAYOUT_H

#include "common/axxat.h"
#include "common/cuda.h"

enum { LAY = 32, LAY_STEP = 8 };

/* Writes a 32 x 32 block of X and one of A^T; LAY x LAY_STEP threads a block. */
__global__ static void axxat_lay_out(size_t n, const float *both, float *below)
{
    __shared__ float tile[LAY][LAY + 1]; /* padded: it is read down its columns */
    const size_t i0 = (size_t)blockIdx.y * LAY, j0 = (size_t)blockIdx.x * LAY;
    const unsigned x = threadIdx.x;

    for (unsigned r = threadIdx.y; r < LAY; r += LAY_STEP)
        if (i0 + r < n && j0 + x < n) {
            tile[r][x] = both[(i0 + r) * 2 * n + j0 + x];
            below[(i0 + r) * n + j0 + x] = both[(i0 + r) * 2 * n + n + j0 + x];
        }
    __syncthreads();
    for (unsigned r = threadIdx.y; r < LAY; r += LAY_STEP)
        if (j0 + r < n && i0 + x < n)
            below[(n + j0 + r) * n + i0 + x] = tile[x][r];
}

/* The product as matmul's host side takes it: its sizes, and where Y goes. */
static struct matmul double_depth(const struct axxat *p)
{
    struct matmul product = {p->n, p->n, 2 * p->n, p->a, p->x, p->y};

    return product;
}

static void upload_side_by_side(const struct axxat *p, float *both)
{
    const size_t row = p->n * sizeof(float);

    if (p->n == 0)
        return;
    CUDA(cudaMemcpy2D(both, 2 * row, p->a, row, row, p->n, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy2D(both + p->n, 2 * row, p->x, row, row, p->n, cudaMemcpyHostToDevice));
}

static void lay_out(size_t n, const float *both, float *below)
{
    const unsigned across = (unsigned)((n + LAY - 1) / LAY);

    axxat_lay_out<<<dim3(across, across), dim3(LAY, LAY_STEP)>>>(n, both, below);
    CUDA(cudaGetLastError());
}

#endif
