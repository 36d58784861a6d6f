/*
 * stencil: many sweeps over an image that is narrow or low, for cuda_fused.
 *
 * A strip of quads has little to do there: its sides are most of it.  Here a block holds a piece of the image in shared
 * memory, across its whole shorter side, and makes all sweeps there.  So the piece loses a pixel per sweep at its two ends
 * only, and not where it meets the image's long sides.  Each pixel is read once and written once, in the order in which they
 * lie in memory.
 *
 * Positions: `along` counts along the image's longer side, `across` along its shorter one.  In shared memory those with one
 * `across` are neighbours, whichever way the image lies.
 */
#ifndef RUNGS_STENCIL_CUDA_THIN_H
#define RUNGS_STENCIL_CUDA_THIN_H

#include "cuda_buffers.h" /* NINTH */

enum {
    THIN = 32,        /* pixels across, at most */
    THIN_DEPTH = 16,  /* sweeps in a pass, at most */
    THIN_WARPS = 16,  /* of a block */
    THIN_BLOCKS = 2,  /* on a multiprocessor */
    THIN_PIXELS = 12800, /* of a piece: two copies of it take 100 KiB */
    THIN_GROUP = 8    /* pixels across that a lane makes, one after another: each reads one new row of three */
};

struct thin {
    int along, across;    /* of the image */
    bool upright;         /* is `along` counted by rows? */
    int made, sweeps;     /* of a piece along, without what the sweeps lose; in this pass */
};

/* Calls take(offset in the image, offset in the piece) for a piece's pixels from `begin` to `end` along, in the order of
   memory. */
template <class F>
__device__ static inline void thin_each(const struct thin &t, int first, int begin, int end, int stride, F take)
{
    const int fast = t.upright ? t.across : end - begin, slow = t.upright ? end - begin : t.across;
    const int step_slow = (int)blockDim.x / fast, step_fast = (int)blockDim.x % fast;
    int i = (int)threadIdx.x / fast, j = (int)threadIdx.x % fast;

    while (i < slow) {
        const int along = begin + (t.upright ? i : j), across = t.upright ? j : i;
        const size_t there = t.upright ? (size_t)(first + along) * t.across + across : (size_t)across * t.along + first + along;
        take(there, across * stride + along);
        i += step_slow;
        j += step_fast;
        if (j >= fast) {
            j -= fast;
            i++;
        }
    }
}

__device__ static inline float three_along(const float *x)
{
    return x[-1] + x[0] + x[1];
}

/* One sweep of all pixels but the outermost ones.  These are the image's border, which stays, or the piece's end, which is
   wrong anyway. */
__device__ static inline void thin_sweep(const float *from, float *to, int length, int across, int stride)
{
    const int lane = (int)threadIdx.x % 32, chunks = (length - 2 + 31) / 32, groups = (across - 2 + THIN_GROUP - 1) / THIN_GROUP;

    for (int task = (int)threadIdx.x / 32; task < chunks * groups; task += THIN_WARPS) {
        const int at = 1 + task % chunks * 32 + lane, first = 1 + task / chunks * THIN_GROUP;
        if (at >= length - 1)
            continue;
        const float *x = from + (first - 1) * stride + at;
        float above = three_along(x), here = three_along(x + stride);
#pragma unroll
        for (int k = 0; k < THIN_GROUP; k++) {
            if (first + k >= across - 1)
                break;
            const float below = three_along(x + (k + 2) * stride);
            to[(first + k) * stride + at] = NINTH * (above + here + below);
            above = here;
            here = below;
        }
    }
}

/* An odd number: then neighbours across lie in different banks as well. */
__host__ __device__ static inline int thin_stride(int length)
{
    return length | 1;
}

__global__ static void __launch_bounds__(32 * THIN_WARPS, THIN_BLOCKS)
    stencil_thin(struct thin t, const float *in, float *out)
{
    extern __shared__ float pieces[];
    const int makes = (int)blockIdx.x * t.made, last = min(makes + t.made, t.along);
    const int first = max(makes - t.sweeps, 0), length = min(last + t.sweeps, t.along) - first, stride = thin_stride(length);
    float *from = pieces, *to = pieces + (size_t)t.across * stride;

    thin_each(t, first, 0, length, stride, [&](size_t there, int here) { from[here] = to[here] = in[there]; });
    for (int i = 0; i < t.sweeps; i++) {
        __syncthreads();
        thin_sweep(from, to, length, t.across, stride);
        float *const other = from;
        from = to;
        to = other;
    }
    __syncthreads();
    thin_each(t, first, makes - first, last - first, stride, [&](size_t there, int here) { out[there] = from[here]; });
}

static inline bool is_thin(const struct stencil *p)
{
    return p->rows <= THIN || p->cols <= THIN;
}

/* One pass of at most THIN_DEPTH sweeps. */
static inline void thin_pass(const struct stencil *p, size_t sweeps, size_t multiprocessors, const float *in, float *out)
{
    const bool upright = p->rows > p->cols;
    struct thin t = {.along = (int)(upright ? p->rows : p->cols), .across = (int)(upright ? p->cols : p->rows),
                     .upright = upright, .made = 0, .sweeps = (int)sweeps};
    const int most = THIN_PIXELS / t.across - 2 * t.sweeps, blocks = (int)multiprocessors * THIN_BLOCKS;
    const int even = (t.along + blocks - 1) / blocks;
    t.made = even < most ? even : most;
    const size_t bytes = 2 * (size_t)t.across * thin_stride(t.made + 2 * t.sweeps) * sizeof(float);
    CUDA(cudaFuncSetAttribute(stencil_thin, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    stencil_thin<<<(unsigned)((t.along + t.made - 1) / t.made), 32 * THIN_WARPS, bytes>>>(t, in, out);
    CUDA(cudaGetLastError());
}

#endif
