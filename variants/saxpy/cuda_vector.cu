/*
 * saxpy / cuda_vector
 *
 * Idea     Keep the memory busy: 16 bytes per access, and all loads of a thread issued before the
 *          first is used.  A memory's rate is the number of bytes in flight divided by its latency.
 *          So the longer the latency, the more must be in flight.
 * Against  cuda_naive: two loads of 4 bytes in flight per thread.  Here it is four of 16 bytes.
 * Expect   The rate at which the device copies its own memory, which is the most that a kernel can
 *          reach.  No gain below some million elements, where the launch or the cache sets the
 *          time.
 * Try      QUADS = 1, 4, 8; THREADS = 128, 512.  Watch the registers (-Xptxas -v): the more a
 *          thread has in flight, the fewer threads fit on a multiprocessor.  And __ldcs and __stcs,
 *          which tell the caches that no element is used twice: do they help?
 * Level    2
 * Read     cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_y, d_z */

enum {
    THREADS = 256,
    QUADS = 2,                 /* float4 of x and of y that a thread has in flight */
    TILE = THREADS * QUADS * 4 /* elements of a block */
};

__global__ static void saxpy_vector(size_t n, float a, const float *x, const float *y, float *z)
{
    size_t first = (size_t)blockIdx.x * TILE;

    if (n - first < TILE) { /* the last block, a partial tile */
        for (size_t i = first + threadIdx.x; i < n; i += THREADS)
            z[i] = a * x[i] + y[i];
        return;
    }
    const float4 *x4 = (const float4 *)(x + first), *y4 = (const float4 *)(y + first);
    float4 *z4 = (float4 *)(z + first);
    float4 xs[QUADS], ys[QUADS]; /* in registers, once the loops are unrolled */

    /* Neighbouring threads take neighbouring quads. */
#pragma unroll
    for (int q = 0; q < QUADS; q++) {
        xs[q] = x4[q * THREADS + threadIdx.x];
        ys[q] = y4[q * THREADS + threadIdx.x];
    }
#pragma unroll
    for (int q = 0; q < QUADS; q++)
        z4[q * THREADS + threadIdx.x] = make_float4(a * xs[q].x + ys[q].x, a * xs[q].y + ys[q].y,
                                                    a * xs[q].z + ys[q].z, a * xs[q].w + ys[q].w);
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t blocks = (p->n + TILE - 1) / TILE;

    if (blocks == 0)
        return;
    saxpy_vector<<<(unsigned)blocks, THREADS>>>(p->n, p->a, d_x, d_y, d_z);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "16 bytes per access, four loads in flight",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
