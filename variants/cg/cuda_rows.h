/* Rows of A times p, a warp two rows: the product of cuda_fused and of those that iterate around it. */
#ifndef RUNGS_CG_CUDA_ROWS_H
#define RUNGS_CG_CUDA_ROWS_H

#include "cuda_steps.h"

/* Two rows share p's loads.  A block has 16 rows. */
enum { ROWS = 2, BLOCK_ROWS = THREADS / WARP * ROWS };

__device__ static float dot4(float4 u, float4 v)
{
    return u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
}

/* A lane's part of rows i to i + ROWS - 1 times p, of `rows` rows that a has.  n a multiple of 4: rows begin at multiples of
   16 bytes. */
__device__ static void lane_sums(size_t n, size_t rows, size_t i, const float *a, const float *p, float sum[ROWS])
{
    const unsigned lane = threadIdx.x % WARP;
    const float *row[ROWS];

    for (unsigned r = 0; r < ROWS; r++) {
        row[r] = a + min(i + r, rows - 1) * n; /* what is beyond is not stored */
        sum[r] = 0;
    }
    if (n % 4 == 0) {
#pragma unroll 4
        for (size_t j = lane; j < n / 4; j += WARP)
            for (unsigned r = 0; r < ROWS; r++)
                sum[r] += dot4(((const float4 *)row[r])[j], ((const float4 *)p)[j]);
        return;
    }
#pragma unroll 4
    for (size_t j = lane; j < n; j += WARP)
        for (unsigned r = 0; r < ROWS; r++)
            sum[r] += row[r][j] * p[j];
}

/* q = A p for this block's rows; returns a lane's part of p q: lane 0 has that of its warp. */
__device__ static double multiply_rows(size_t n, size_t first, const float *a, const float *p, float *q)
{
    const size_t i = first + (size_t)threadIdx.x / WARP * ROWS;
    double mine = 0;
    float sum[ROWS];

    if (i >= n)
        return 0;
    lane_sums(n, n, i, a, p, sum);
    for (unsigned r = 0; r < ROWS; r++) {
        for (unsigned step = WARP / 2; step > 0; step /= 2)
            sum[r] += __shfl_xor_sync(all_lanes, sum[r], step);
        if (threadIdx.x % WARP == 0 && i + r < n) {
            q[i + r] = sum[r];
            mine += (double)sum[r] * p[i + r];
        }
    }
    return mine;
}

__global__ static void cg_multiply(size_t n, const float *a, const float *p, float *q, struct state *state, double *pq)
{
    if (finished(state))
        return;

    const double sum = block_sum(multiply_rows(n, (size_t)blockIdx.x * BLOCK_ROWS, a, p, q));

    if (threadIdx.x == 0)
        pq[blockIdx.x] = sum;
}

/* One iteration: three launches. */
[[maybe_unused]] static void iterate_once(size_t n, const float *a, cudaStream_t stream)
{
    const unsigned blocks = blocks_for(n, BLOCK_ROWS);

    cg_multiply<<<blocks, THREADS, 0, stream>>>(n, a, d_p, d_q, d_state, d_parts);
    advance_and_turn(n, blocks, stream);
}

#endif
