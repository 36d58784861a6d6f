/* An iteration of five launches, as a textbook's lines are: shared by cuda_shared and cuda_warp, spelled out in cuda_naive. */
#ifndef RUNGS_CG_CUDA_FIVE_H
#define RUNGS_CG_CUDA_FIVE_H

#include "cuda_steps.h"

/* One block: p q as the only part. */
__global__ static void cg_inner(size_t n, const float *p, const float *q, const struct state *state, double *pq)
{
    double mine = 0;

    if (state->done)
        return;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        mine += (double)p[i] * q[i];
    mine = block_sum(mine);
    if (threadIdx.x == 0)
        *pq = mine;
}

__global__ static void cg_move(size_t n, const float *p, const float *q, float *x, float *r, const struct state *state,
                               const double *pq)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (state->done || i >= n)
        return;

    const float alpha = (float)(state->rr / *pq);

    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
}

/* The four launches behind a product. */
static void after_product(size_t n)
{
    const unsigned blocks = blocks_for(n, THREADS);
    double *const pq = d_parts, *const rr = d_parts + n + 1;

    cg_inner<<<1, 1024>>>(n, d_p, d_q, d_state, pq);
    cg_move<<<blocks, THREADS>>>(n, d_p, d_q, d_x, d_r, d_state, pq);
    cg_inner<<<1, 1024>>>(n, d_r, d_r, d_state, rr);
    cg_turn<<<blocks, THREADS>>>(n, d_r, d_p, d_q, d_state, rr, 1);
    CUDA(cudaGetLastError());
}

#endif
