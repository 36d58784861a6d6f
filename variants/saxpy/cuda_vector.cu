/*
 * saxpy / cuda_vector
 *
 * Idea     Keep the memory busy: 16 bytes an access, and all loads of a thread under way before the
 *          first is used.  What a memory delivers is what is in flight, divided by how long it
 *          takes to come; the longer that is, the more must be asked for at a time.
 * Against  cuda_naive: two loads of 4 bytes in flight a thread.  Here it is four of 16.
 * Expect   The rate at which the device copies its own memory, which no kernel passes.  Nothing
 *          below some million elements: there the launch is the limit, or the cache.
 * Try      QUADS = 1, 4, 8; THREADS = 128, 512.  Mind the registers (-Xptxas -v): the more a thread
 *          has under way, the fewer threads an SM has room for.  And __ldcs and __stcs, which tell
 *          the caches that nothing comes twice: do they help?
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

    if (n - first < TILE) { /* the last block, a tile that is not full */
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

VARIANT(.idea = "16 bytes an access, four loads in flight",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
