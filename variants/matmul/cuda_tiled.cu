/*
 * matmul / cuda_tiled
 *
 * Idea     A tile of C in each thread's registers, 8 x 8: sixteen elements loaded from shared
 *          memory serve 64 multiply-adds.  While one slice of A and B is in use, the next is being
 *          loaded.
 * Against  cuda_shared, where eight loads, half of them of four elements, serve sixteen.
 * Expect   Bound by arithmetic at last, less the share of instructions that loads and barriers
 *          take.  Tiles of 128 x 128 need large matrices: below some 2000 x 2000, C has fewer tiles
 *          than an H200 has places for blocks (264).
 * Try      SLICE = 16 (and two loads per thread): half as many barriers, twice the shared memory.
 * Level    2
 * Read     cuda_buffers.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_b, d_c */

/*
 *     tile of C, 128 x 128         Of a warp's 32 x 64, the lane at (y, x) of 4 x 8 lanes has rows
 *     +---------+---------+        4y and 16 + 4y with the three after each, and columns 4x and
 *     | warp 0  | warp 1  |        32 + 4x likewise.  So neighbouring lanes read neighbouring
 *     | warp 2  | warp 3  |        float4s of a slice, and no two of them from the same bank.
 *     |   ...   |   ...   |        Lanes are numbered down y by twos: eight of them read two
 *     +---------+---------+        float4s of A and four of B, not one and eight.
 */
enum { TILE = 128, SLICE = 8, THREADS = 256, SIDE = 8, PAD = 4 };

/* Returns elements at to at + 3 of a row; zeros beyond its end.  VECTORS: a row's length is a multiple of 4, so all
   four exist or none, and one load of 16 bytes is enough. */
template <bool VECTORS>
__device__ static float4 four(const float *row, size_t at, size_t length)
{
    float4 v = make_float4(0, 0, 0, 0);

    if (VECTORS) {
        if (at < length)
            v = *(const float4 *)(row + at);
        return v;
    }
    if (at < length)
        v.x = row[at];
    if (at + 1 < length)
        v.y = row[at + 1];
    if (at + 2 < length)
        v.z = row[at + 2];
    if (at + 3 < length)
        v.w = row[at + 3];
    return v;
}

template <bool VECTORS> __device__ static void put(float *row, size_t at, size_t length, float4 v)
{
    if (VECTORS) {
        if (at < length)
            *(float4 *)(row + at) = v;
        return;
    }
    if (at < length)
        row[at] = v.x;
    if (at + 1 < length)
        row[at + 1] = v.y;
    if (at + 2 < length)
        row[at + 2] = v.z;
    if (at + 3 < length)
        row[at + 3] = v.w;
}

template <bool VECTORS>
__global__ static void __launch_bounds__(THREADS, 2)
    matmul_tiled(size_t m, size_t n, size_t k, const float *a, const float *b, float *c)
{
    /* Two slices: one is read while the other is filled.  A's is transposed, so that a column of A is read like a
       row of B; PAD puts what the threads of a warp write into different banks. */
    __shared__ float4 a_slice[2][SLICE][(TILE + PAD) / 4], b_slice[2][SLICE][TILE / 4];
    const size_t across = (n + TILE - 1) / TILE;
    const size_t i0 = blockIdx.x / across * TILE, j0 = blockIdx.x % across * TILE;
    const unsigned t = threadIdx.x, warp = t / 32, lane = t % 32;
    const unsigned y = warp / 2 * 32 + (lane / 16 * 2 + lane % 2) * 4;
    const unsigned x = warp % 2 * 64 + lane / 2 % 8 * 4;

    /* Thread t loads, of A, four of the 8 columns of row t/2; of B, four of the 128 columns of row t/32. */
    const unsigned a_row = t / 2, a_at = t % 2 * 4, b_row = t / 32, b_at = t % 32 * 4;
    const float *a_from = a + (i0 + a_row) * k;
    const size_t a_length = i0 + a_row < m ? k : 0;
    float4 a_next = four<VECTORS>(a_from, a_at, a_length);
    float4 b_next = four<VECTORS>(b + b_row * n, j0 + b_at, b_row < k ? n : 0);
    float sum[SIDE][SIDE] = {};

    for (size_t l = 0; l < k; l += SLICE) {
        const unsigned now = l / SLICE % 2;
        float *column = (float *)a_slice[now][a_at] + a_row;

        column[0 * (TILE + PAD)] = a_next.x;
        column[1 * (TILE + PAD)] = a_next.y;
        column[2 * (TILE + PAD)] = a_next.z;
        column[3 * (TILE + PAD)] = a_next.w;
        b_slice[now][b_row][b_at / 4] = b_next;
        /* One barrier per slice is enough.  A thread fills this slice again only after the next barrier, and all
           threads have read this slice before they arrive there. */
        __syncthreads();

        const size_t next = l + SLICE;

        a_next = four<VECTORS>(a_from, next + a_at, a_length);
        b_next = four<VECTORS>(b + (next + b_row) * n, j0 + b_at, next + b_row < k ? n : 0);
#pragma unroll
        for (unsigned s = 0; s < SLICE; s++) {
            const float4 a0 = a_slice[now][s][y / 4], a1 = a_slice[now][s][y / 4 + 4];
            const float4 b0 = b_slice[now][s][x / 4], b1 = b_slice[now][s][x / 4 + 8];
            const float as[SIDE] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
            const float bs[SIDE] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};

#pragma unroll
            for (unsigned r = 0; r < SIDE; r++)
#pragma unroll
                for (unsigned q = 0; q < SIDE; q++)
                    sum[r][q] += as[r] * bs[q];
        }
    }
#pragma unroll
    for (unsigned r = 0; r < SIDE; r++) {
        const size_t i = i0 + y + r / 4 * 16 + r % 4, length = i < m ? n : 0;
        const float *s = sum[r];

        put<VECTORS>(c + i * n, j0 + x, length, make_float4(s[0], s[1], s[2], s[3]));
        put<VECTORS>(c + i * n, j0 + x + 32, length, make_float4(s[4], s[5], s[6], s[7]));
    }
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const size_t tiles = (p->m + TILE - 1) / TILE * ((p->n + TILE - 1) / TILE);

    if (tiles == 0)
        return;
    if (p->n % 4 == 0 && p->k % 4 == 0)
        matmul_tiled<true><<<(unsigned)tiles, THREADS>>>(p->m, p->n, p->k, d_a, d_b, d_c);
    else
        matmul_tiled<false><<<(unsigned)tiles, THREADS>>>(p->m, p->n, p->k, d_a, d_b, d_c);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "a tile of C in each thread's registers",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
