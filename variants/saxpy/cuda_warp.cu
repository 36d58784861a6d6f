/*
 * saxpy / cuda_warp
 *
 * Idea     Lanes share the fetching: the lower half of a warp loads x, the upper half y, 16 bytes a
 *          lane, both with one instruction.  Then lane l and lane l + 16 trade half of what they
 *          have by shuffles, so that each can finish two elements.
 * Against  cuda_naive, where each lane loads 4 bytes of x and then 4 of y.
 * Expect   A gain from the 16 bytes: twice as much in flight a thread, with half the loads.  None
 *          from the exchange: a shuffle saves a load where lanes need the same data, and here each
 *          value has one user.
 * Try      Two float4 a lane, one of x and one of y, and no shuffle: that is cuda_vector with
 *          QUADS = 1.  What did the exchange cost?
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_y, d_z */

enum {
    THREADS = 256,
    WARP = 32,
    HALF = WARP / 2,
    SPAN = HALF * 4 /* elements of a warp: 16 lanes of each half, 4 elements a load */
};

static const unsigned ALL_LANES = 0xffffffff;

__global__ static void saxpy_warp(size_t n, float a, const float *x, const float *y, float *z)
{
    unsigned lane = threadIdx.x % WARP, quad = lane % HALF;
    size_t warp = ((size_t)blockIdx.x * THREADS + threadIdx.x) / WARP;
    size_t first = warp * SPAN;
    bool lower = lane < HALF;

    /* A shuffle needs all lanes, so the choice is the warp's: a whole span, or what is left. */
    if (first + SPAN > n) {
        for (size_t i = first + lane; i < n; i += WARP)
            z[i] = a * x[i] + y[i];
        return;
    }
    float4 mine = ((const float4 *)((lower ? x : y) + first))[quad];

    /* The lower lane keeps x0 x1 and gives x2 x3, the upper keeps y2 y3 and gives y0 y1. */
    float2 theirs;
    theirs.x = __shfl_xor_sync(ALL_LANES, lower ? mine.z : mine.x, HALF);
    theirs.y = __shfl_xor_sync(ALL_LANES, lower ? mine.w : mine.y, HALF);

    float2 result = lower ? make_float2(a * mine.x + theirs.x, a * mine.y + theirs.y)
                          : make_float2(a * theirs.x + mine.z, a * theirs.y + mine.w);
    ((float2 *)(z + first))[2 * quad + (lower ? 0 : 1)] = result;
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t span = THREADS / WARP * SPAN; /* elements of a block */
    size_t blocks = (p->n + span - 1) / span;

    if (blocks == 0)
        return;
    saxpy_warp<<<(unsigned)blocks, THREADS>>>(p->n, p->a, d_x, d_y, d_z);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "half a warp loads x, half y; lanes trade",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
