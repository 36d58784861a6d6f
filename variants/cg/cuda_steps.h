/*
 * The steps of an iteration on the device, three launches (cuda_fused), and the host's loop around them.
 *
 *     multiply   q = A p                      and each block's part of p q      (the variant's own)
 *     advance    alpha; x += alpha p; r -= alpha q, and each block's part of r r
 *     turn       beta; p = r + beta p
 *
 * A scalar is never added up by one block: each block of the next step adds the parts, in one order, so all get the same
 * bits.  No scalar is read in the launch that writes it: `turn` writes state->next, and `multiply` of the next iteration
 * makes it state->rr.
 */
#ifndef RUNGS_CG_CUDA_STEPS_H
#define RUNGS_CG_CUDA_STEPS_H

#include "cuda_buffers.h"

enum { WARP = 32, THREADS = 256 };

static const unsigned all_lanes = 0xffffffff;

/* Returns the sum over a block to all of its threads. */
__device__ static double block_sum(double mine)
{
    __shared__ double of_warp[WARP];
    double sum = 0;

    for (unsigned step = WARP / 2; step > 0; step /= 2)
        mine += __shfl_xor_sync(all_lanes, mine, step);
    __syncthreads(); /* all threads have read the sums of before */
    if (threadIdx.x % WARP == 0)
        of_warp[threadIdx.x / WARP] = mine;
    __syncthreads();
    for (unsigned w = 0; w < blockDim.x / WARP; w++)
        sum += of_warp[w];
    return sum;
}

__device__ static double sum_parts(const double *parts, size_t count)
{
    double mine = 0;

    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        mine += parts[i];
    return block_sum(mine);
}

/* One block: x = 0, r = p = b, q = 0. */
__global__ static void cg_begin(size_t n, float tol, const float *b, float *x, float *r, float *p, float *q,
                                struct state *state)
{
    double mine = 0;

    for (size_t i = threadIdx.x; i < n; i += blockDim.x) {
        x[i] = q[i] = 0;
        r[i] = p[i] = b[i];
        mine += (double)b[i] * b[i];
    }
    const double bb = block_sum(mine);
    if (threadIdx.x == 0)
        *state = {bb, bb, (double)tol * tol * bb, 0, 0};
}

/* For multiply: returns whether there is nothing to do.  Block 0 opens the iteration. */
__device__ static bool finished(struct state *state)
{
    const bool done = state->next <= state->enough;

    if (blockIdx.x == 0 && threadIdx.x == 0) {
        state->done = done;
        state->rr = state->next;
        state->iterations += !done;
    }
    return done;
}

__global__ static void cg_advance(size_t n, const float *p, const float *q, float *x, float *r, const struct state *state,
                                  const double *pq, size_t count, double *rr)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double mine = 0;

    if (state->done)
        return;

    const float alpha = (float)(state->rr / sum_parts(pq, count));

    if (i < n) {
        x[i] += alpha * p[i];
        r[i] -= alpha * q[i];
        mine = (double)r[i] * r[i];
    }
    mine = block_sum(mine);
    if (threadIdx.x == 0)
        rr[blockIdx.x] = mine;
}

/* Clears q, too, for products that add to it.  Returns the square of r. */
__device__ static double turn(size_t n, const float *r, float *p, float *q, struct state *state, const double *parts,
                              size_t count)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const double rr = sum_parts(parts, count);

    if (i < n) {
        p[i] = r[i] + (float)(rr / state->rr) * p[i];
        q[i] = 0;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
        state->next = rr;
    return rr;
}

__global__ static void cg_turn(size_t n, const float *r, float *p, float *q, struct state *state, const double *rr,
                               size_t count)
{
    if (!state->done)
        turn(n, r, p, q, state, rr, count);
}

[[maybe_unused]] static unsigned blocks_for(size_t items, size_t each)
{
    return (unsigned)((items + each - 1) / each);
}

[[maybe_unused]] static void begin(const struct cg *s, cudaStream_t stream)
{
    cg_begin<<<1, 1024, 0, stream>>>(s->n, s->tol, d_b, d_x, d_r, d_p, d_q, d_state);
    CUDA(cudaGetLastError());
}

/* Two launches behind a product whose `count` blocks have written their parts. */
[[maybe_unused]] static void advance_and_turn(size_t n, unsigned count, cudaStream_t stream)
{
    const unsigned blocks = blocks_for(n, THREADS);
    double *const rr = d_parts + n + 1;

    cg_advance<<<blocks, THREADS, 0, stream>>>(n, d_p, d_q, d_x, d_r, d_state, d_parts, count, rr);
    cg_turn<<<blocks, THREADS, 0, stream>>>(n, d_r, d_p, d_q, d_state, rr, blocks);
    CUDA(cudaGetLastError());
}

[[maybe_unused]] static size_t most_iterations(size_t n)
{
    return 2 * n + 50; /* rounding may cost iterations; without it n are enough */
}

[[maybe_unused]] static struct state state; /* as the host saw it last; state.iterations is how many a call took */

/* Iterates until the host sees that it is enough, at every s->every-th iteration.  Those behind the end do nothing. */
template <class function> static void iterate_on_device(const struct cg *s, function once)
{
    if (s->n == 0)
        return;
    begin(s, 0);
    for (size_t k = 0; k < most_iterations(s->n); k += s->every) {
        for (size_t i = 0; i < s->every; i++)
            once();
        CUDA(cudaMemcpy(&state, d_state, sizeof state, cudaMemcpyDeviceToHost));
        if (state.next <= state.enough)
            return;
    }
}

#endif
