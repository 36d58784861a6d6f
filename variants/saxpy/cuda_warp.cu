/*
 * saxpy / cuda_warp
 *
 * Idea     The lanes of a warp share the loads: the lower half loads x, the upper half y, 16 bytes
 *          a lane, with one instruction.  Then lanes l and l + 16 exchange half of their numbers by
 *          shuffles, so that each can compute two elements.
 * Against  cuda_naive, where each lane loads 4 bytes of x and then 4 of y.
 * Expect   A gain from the 16 bytes: four times as much in flight per thread, with as many loads.
 *          No gain from the exchange: a shuffle saves a load only where several lanes need the same
 *          number, and here each number is used by one lane.
 * Try      LOADS = 1, 4.  Then two float4 per lane, one of x and one of y, and no shuffle: that is
 *          cuda_vector with QUADS = 1.  What did the exchange cost?
 * Level    2
 * Read     cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_y, d_z */

enum {
    THREADS = 256,
    WARP = 32,
    HALF = WARP / 2,
    GROUP = HALF * 4, /* elements of a load: 16 lanes of each half, 4 elements each */
    LOADS = 2,        /* loads that a lane has in flight */
    SPAN = LOADS * GROUP
};

static const unsigned ALL_LANES = 0xffffffff;

__global__ static void saxpy_warp(size_t n, float a, const float *x, const float *y, float *z)
{
    unsigned lane = threadIdx.x % WARP, quad = lane % HALF;
    size_t warp = ((size_t)blockIdx.x * THREADS + threadIdx.x) / WARP;
    size_t first = warp * SPAN;
    bool lower = lane < HALF;

    /* A shuffle needs all lanes, so the whole warp takes the same branch: a full span, or what is left. */
    if (first + SPAN > n) {
        for (size_t i = first + lane; i < n; i += WARP)
            z[i] = a * x[i] + y[i];
        return;
    }
    const float4 *from = (const float4 *)((lower ? x : y) + first) + quad;
    float2 *to = (float2 *)(z + first) + 2 * quad + (lower ? 0 : 1);
    float4 mine[LOADS]; /* in registers, once the loops are unrolled */

#pragma unroll
    for (int i = 0; i < LOADS; i++)
        mine[i] = from[i * HALF];
    /* The lower lane keeps x0 x1 and gives x2 x3, the upper keeps y2 y3 and gives y0 y1. */
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        float4 m = mine[i];
        float2 theirs;
        theirs.x = __shfl_xor_sync(ALL_LANES, lower ? m.z : m.x, HALF);
        theirs.y = __shfl_xor_sync(ALL_LANES, lower ? m.w : m.y, HALF);
        to[i * WARP] = lower ? make_float2(a * m.x + theirs.x, a * m.y + theirs.y)
                             : make_float2(a * theirs.x + m.z, a * theirs.y + m.w);
    }
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

VARIANT(.idea = "half a warp loads x, half y; lanes exchange by shuffles",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
