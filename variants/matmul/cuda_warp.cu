/*
 * matmul / cuda_warp
 *
 * Idea     A warp computes 8 rows by 32 columns of C, without shared memory or barriers.  Each lane
 *          loads one element of a row of A.  A shuffle then passes it to all lanes, one element
 *          after another.
 * Against  cuda_shared, where the elements of A go through shared memory.
 * Expect   Bound by shuffles: they use the same hardware path as shared memory, and there is one
 *          for each multiply-add.  Each element of B that a lane loads serves 8 of them.
 * Try      ROWS = 1, 4, 16: from which on do loads of B no longer matter, and when do the registers
 *          run out?
 * Level    2
 * Read     cuda_buffers.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_b, d_c */

/* The eight warps of a block, one below the other, read the same columns of B, so most of these reads hit the cache. */
enum { WARP = 32, WARPS = 8, ROWS = 8 };

static const unsigned all_lanes = 0xffffffff;

__global__ static void matmul_warp(size_t m, size_t n, size_t k, const float *a, const float *b,
                                   float *c)
{
    const size_t across = (n + WARP - 1) / WARP; /* blocks side by side */
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const size_t i = (blockIdx.x / across * WARPS + warp) * ROWS;
    const size_t j = blockIdx.x % across * WARP + lane;
    float sum[ROWS] = {};

    /* No lane may leave early, because a shuffle needs all of them.  Elements outside count as zero. */
    for (size_t l = 0; l < k; l += WARP) {
        float own[ROWS]; /* of each row, the element in column l + lane */

        for (unsigned r = 0; r < ROWS; r++)
            own[r] = i + r < m && l + lane < k ? a[(i + r) * k + l + lane] : 0;
#pragma unroll 8
        for (unsigned t = 0; t < WARP; t++) {
            float below = l + t < k && j < n ? b[(l + t) * n + j] : 0;

            for (unsigned r = 0; r < ROWS; r++)
                sum[r] += __shfl_sync(all_lanes, own[r], t) * below;
        }
    }
    for (unsigned r = 0; r < ROWS; r++)
        if (i + r < m && j < n)
            c[(i + r) * n + j] = sum[r];
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const size_t rows = WARPS * ROWS; /* of a block */
    const size_t blocks = (p->m + rows - 1) / rows * ((p->n + WARP - 1) / WARP);

    if (blocks == 0)
        return;
    matmul_warp<<<(unsigned)blocks, WARPS * WARP>>>(p->m, p->n, p->k, d_a, d_b, d_c);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "shuffles pass rows of A around the warp",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
