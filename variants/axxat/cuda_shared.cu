/*
 * axxat / cuda_shared
 *
 * Idea     A block computes a tile of Y, 32 x 32, both sums together.  It copies four tiles to shared memory: of A and X
 *          for the first sum, of X and A for the second.  Each element is loaded once and used 32 times.
 * Against  cuda_naive, where each thread loads its own elements.
 * Expect   A 32nd of the loads from global memory.  A is read by rows for the second sum, too, so those loads are
 *          coalesced, and it is transposed by reading the tile down its columns.  Bound by loads from shared memory.
 * Try      Without the "+ 1": the 32 lanes then read one bank.
 * Level    2
 * Read     cuda_buffers.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_x, d_y */

/* A block is TILE x STEP threads; each computes ROWS elements, STEP rows apart. */
enum { TILE = 32, ROWS = 4, STEP = TILE / ROWS };

__global__ static void axxat_shared(size_t n, const float *a, const float *given, float *to)
{
    const size_t across = (n + TILE - 1) / TILE; /* tiles in a row of them */
    const size_t i0 = blockIdx.x / across * TILE, j0 = blockIdx.x % across * TILE;
    __shared__ float a_rows[TILE][TILE], x_columns[TILE][TILE];     /* of the first sum */
    __shared__ float x_rows[TILE][TILE], a_columns[TILE][TILE + 1]; /* of the second; padded: read down its columns */
    const unsigned x = threadIdx.x, y = threadIdx.y;
    float sum[ROWS] = {};

    for (size_t l = 0; l < n; l += TILE) {
        /* Zeros beyond the edges: they add nothing. */
        for (unsigned r = 0; r < TILE; r += STEP) {
            const size_t row = i0 + y + r, column_of_y = j0 + y + r; /* a row of A is a column of A^T */

            a_rows[y + r][x] = row < n && l + x < n ? a[row * n + l + x] : 0;
            x_rows[y + r][x] = row < n && l + x < n ? given[row * n + l + x] : 0;
            x_columns[y + r][x] = l + y + r < n && j0 + x < n ? given[(l + y + r) * n + j0 + x] : 0;
            a_columns[y + r][x] = column_of_y < n && l + x < n ? a[column_of_y * n + l + x] : 0;
        }
        __syncthreads(); /* all tiles are complete */
        for (unsigned t = 0; t < TILE; t++)
            for (unsigned r = 0; r < ROWS; r++) {
                sum[r] += a_rows[y + r * STEP][t] * x_columns[t][x];
                sum[r] += x_rows[y + r * STEP][t] * a_columns[x][t];
            }
        __syncthreads(); /* all threads have read them */
    }
    for (unsigned r = 0; r < ROWS; r++)
        if (i0 + y + r * STEP < n && j0 + x < n)
            to[(i0 + y + r * STEP) * n + j0 + x] = sum[r];
}

static void run(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;
    const size_t across = (p->n + TILE - 1) / TILE;

    if (across == 0)
        return;
    axxat_shared<<<(unsigned)(across * across), dim3(TILE, STEP)>>>(p->n, d_a, d_x, d_y);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "four tiles in shared memory, both sums from them",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
