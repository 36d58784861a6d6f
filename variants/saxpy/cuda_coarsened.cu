/*
 * saxpy / cuda_coarsened
 *
 * Idea     Thread coarsening: a thread computes three elements instead of one, and issues all six
 *          loads before it uses the first.  The three lie a block's width apart, so that in each
 *          access neighbouring lanes still read neighbouring elements.
 * Against  cuda_naive, whose threads have two loads in flight, in three times as many blocks.
 * Expect   The rate at which the device copies its own memory, with accesses of 4 bytes only: what
 *          counts is how many bytes are in flight, not how wide an access is (cuda_vector has wide
 *          ones).
 * Try      ELEMENTS = 1, 2, 4, 8.  More loads in flight should be better still; from four on they
 *          are not.  Then 768 elements in blocks of 384 threads, two each: are as many bytes in
 *          flight?
 * Level    1
 * Read     cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_y, d_z */

enum {
    THREADS = 256,
    ELEMENTS = 3, /* of a thread */
    TILE = THREADS * ELEMENTS
};

__global__ static void saxpy_coarsened(size_t n, float a, const float *x, const float *y, float *z)
{
    size_t first = (size_t)blockIdx.x * TILE;

    if (n - first < TILE) { /* the last block, a partial tile */
        for (size_t i = first + threadIdx.x; i < n; i += THREADS)
            z[i] = a * x[i] + y[i];
        return;
    }
    float xs[ELEMENTS], ys[ELEMENTS]; /* in registers, once the loops are unrolled */

    first += threadIdx.x;
#pragma unroll
    for (int e = 0; e < ELEMENTS; e++)
        xs[e] = x[first + e * THREADS];
#pragma unroll
    for (int e = 0; e < ELEMENTS; e++)
        ys[e] = y[first + e * THREADS];
#pragma unroll
    for (int e = 0; e < ELEMENTS; e++)
        z[first + e * THREADS] = a * xs[e] + ys[e];
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t blocks = (p->n + TILE - 1) / TILE;

    if (blocks == 0)
        return;
    saxpy_coarsened<<<(unsigned)blocks, THREADS>>>(p->n, p->a, d_x, d_y, d_z);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "three elements per thread, six loads in flight",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
