/*
 * matmul / cuda_shared
 *
 * Idea     A block computes a tile of C, 32 x 32.  It copies tiles of A and B to shared memory,
 *          each element once, and uses every row and column there 32 times.
 * Against  cuda_naive, where each thread loads its own elements.
 * Expect   A 32nd of the loads from global memory, which no longer bound it.  Loads from shared
 *          memory do: for 16 products a thread makes four loads of one element of B and four loads
 *          of four elements of A.
 * Try      ROWS = 1 and 2: fewer products for each element of B that is loaded.
 * Level    2
 * Read     cuda_buffers.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_b, d_c */

/* A block is TILE x STEP threads; each computes ROWS elements, STEP rows apart. */
enum { TILE = 32, ROWS = 4, STEP = TILE / ROWS };

__global__ static void matmul_shared(size_t m, size_t n, size_t k, const float *a, const float *b,
                                     float *c)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    const size_t across = (n + TILE - 1) / TILE; /* tiles in a row of them */
    const unsigned x = threadIdx.x, y = threadIdx.y;
    const size_t i = blockIdx.x / across * TILE + y; /* the first of ROWS */
    const size_t j = blockIdx.x % across * TILE + x;
    float sum[ROWS] = {};

    for (size_t l = 0; l < k; l += TILE) {
        /* Zeros beyond the edges: they add nothing. */
        for (unsigned r = 0; r < TILE; r += STEP) {
            a_tile[y + r][x] = i + r < m && l + x < k ? a[(i + r) * k + l + x] : 0;
            b_tile[y + r][x] = l + y + r < k && j < n ? b[(l + y + r) * n + j] : 0;
        }
        __syncthreads(); /* both tiles are complete */
        for (unsigned t = 0; t < TILE; t++)
            for (unsigned r = 0; r < ROWS; r++)
                sum[r] += a_tile[y + r * STEP][t] * b_tile[t][x];
        __syncthreads(); /* all threads have read them */
    }
    for (unsigned r = 0; r < ROWS; r++)
        if (i + r * STEP < m && j < n)
            c[(i + r * STEP) * n + j] = sum[r];
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    /* Tiles are counted along x alone, because a grid's y ends at 65535. */
    const size_t tiles = (p->m + TILE - 1) / TILE * ((p->n + TILE - 1) / TILE);

    if (tiles == 0)
        return;
    matmul_shared<<<(unsigned)tiles, dim3(TILE, STEP)>>>(p->m, p->n, p->k, d_a, d_b, d_c);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "tiles of A and B in shared memory",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
