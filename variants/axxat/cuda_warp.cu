/*
 * axxat / cuda_warp
 *
 * Idea     A warp computes 8 rows by 32 columns of Y, without shared memory or barriers.  Each lane loads one element of a
 *          row of A and of X, and shuffles pass them to all lanes, one after another.
 * Against  cuda_shared, where these elements go through shared memory.
 * Expect   Bound by shuffles: one for each multiply-add.  For the second sum each lane reads a row of A of its own,
 *          so 32 lines stay in the first-level cache while they are used up.
 * Try      ROWS = 4: fewer registers, and half the use of each element that is not shuffled.
 * Level    2
 * Read     cuda_buffers.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_x, d_y */

/* The eight warps of a block, one below the other, use the same columns of X and rows of A. */
enum { WARP = 32, WARPS = 8, ROWS = 8 };

static const unsigned all_lanes = 0xffffffff;

__global__ static void axxat_warp(size_t n, const float *a, const float *x, float *y)
{
    const size_t across = (n + WARP - 1) / WARP; /* blocks side by side */
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const size_t i = (blockIdx.x / across * WARPS + warp) * ROWS;
    const size_t j = blockIdx.x % across * WARP + lane;
    float sum[ROWS] = {};

    /* No lane may leave early, because a shuffle needs all of them.  Elements outside count as zero. */
    for (size_t l = 0; l < n; l += WARP) {
        float own_a[ROWS], own_x[ROWS]; /* of each row, the element in column l + lane */

        for (unsigned r = 0; r < ROWS; r++) {
            const bool there = i + r < n && l + lane < n;

            own_a[r] = there ? a[(i + r) * n + l + lane] : 0;
            own_x[r] = there ? x[(i + r) * n + l + lane] : 0;
        }
#pragma unroll 4
        for (unsigned t = 0; t < WARP; t++) {
            const bool there = l + t < n && j < n;
            const float below = there ? x[(l + t) * n + j] : 0, beside = there ? a[j * n + l + t] : 0;

            for (unsigned r = 0; r < ROWS; r++) {
                sum[r] += __shfl_sync(all_lanes, own_a[r], t) * below;
                sum[r] += __shfl_sync(all_lanes, own_x[r], t) * beside;
            }
        }
    }
    for (unsigned r = 0; r < ROWS; r++)
        if (i + r < n && j < n)
            y[(i + r) * n + j] = sum[r];
}

static void run(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;
    const size_t rows = WARPS * ROWS; /* of a block */
    const size_t blocks = (p->n + rows - 1) / rows * ((p->n + WARP - 1) / WARP);

    if (blocks == 0)
        return;
    axxat_warp<<<(unsigned)blocks, WARPS * WARP>>>(p->n, d_a, d_x, d_y);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "shuffles pass rows of A and X around the warp",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
