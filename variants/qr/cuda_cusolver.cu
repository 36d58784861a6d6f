/*
 * qr / cuda_cusolver
 *
 * Idea     Call the library: cuSOLVER's geqrf and orgqr.  They want columns one after another, so A is transposed first, and Q
 *          back.  Rows of R and columns of Q are turned where R's diagonal is negative.
 * Against  cuda_naive, our own reflections one by one.
 * Expect   Square matrices: blocked reflectors, hence products.  Tall ones: panels as high as the matrix, a column at a time from
 *          memory, and the two transpositions are the least of it.
 * Try      One block a tile without the "+ 1": what do the transpositions take then?
 * Level    1
 * Read     cuda_buffers.h
 */
/* needs: cusolver */
#include <cusolverDn.h>
#include <limits.h>

#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_a, d_q, d_r */

enum { TILE = 32, STEP = 8 }; /* a block is TILE x STEP threads, which transpose a tile */

static cusolverDnHandle_t cusolver;
static float *d_columns; /* [n][m] A, then reflectors and R, then Q */
static float *d_tau, *d_sign, *d_work;
static int *d_info, work_size;

static const char *refuse(const void *problem)
{
    return ((const struct qr *)problem)->m > INT_MAX ? "cuSOLVER counts in int: no side may exceed 2^31 - 1" : NULL;
}

/* to[j][i] = from[i][j], times by_row[i] where there are such factors. */
__global__ static void transpose(size_t rows, size_t columns, const float *from, const float *by_row, float *to)
{
    __shared__ float tile[TILE][TILE + 1]; /* padded: it is read down its columns */
    const size_t across = (columns + TILE - 1) / TILE, i0 = blockIdx.x / across * TILE, j0 = blockIdx.x % across * TILE;
    const unsigned x = threadIdx.x;

    for (unsigned y = threadIdx.y; y < TILE; y += STEP)
        if (i0 + y < rows && j0 + x < columns)
            tile[y][x] = from[(i0 + y) * columns + j0 + x] * (by_row != NULL ? by_row[i0 + y] : 1);
    __syncthreads();
    for (unsigned y = threadIdx.y; y < TILE; y += STEP)
        if (j0 + y < columns && i0 + x < rows)
            to[(j0 + y) * rows + i0 + x] = tile[x][y];
}

/* A block a row. */
__global__ static void write_r(size_t m, size_t n, const float *columns, float *sign, float *r)
{
    const size_t k = blockIdx.x;
    const float turned = columns[k * m + k] < 0 ? -1 : 1;

    if (threadIdx.x == 0)
        sign[k] = turned;
    for (size_t j = threadIdx.x; j < n; j += blockDim.x)
        r[k * n + j] = j < k ? 0 : turned * columns[j * m + k];
}

static void prepare_library(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;
    const int m = (int)p->m, n = (int)p->n;
    int first = 0, second = 0;

    prepare(problem);
    CUSOLVER(cusolverDnCreate(&cusolver));
    CUDA(cudaMalloc(&d_columns, p->m * p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_tau, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_sign, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_info, sizeof(int)));
    if (n > 0) {
        CUSOLVER(cusolverDnSgeqrf_bufferSize(cusolver, m, n, d_columns, m, &first));
        CUSOLVER(cusolverDnSorgqr_bufferSize(cusolver, m, n, n, d_columns, m, d_tau, &second));
    }
    work_size = first > second ? first : second;
    CUDA(cudaMalloc(&d_work, (size_t)work_size * sizeof(float)));
}

static void launch_transpose(size_t rows, size_t columns, const float *from, const float *by_row, float *to)
{
    const size_t tiles = (rows + TILE - 1) / TILE * ((columns + TILE - 1) / TILE);

    transpose<<<(unsigned)tiles, dim3(TILE, STEP)>>>(rows, columns, from, by_row, to);
    CUDA(cudaGetLastError());
}

static void run(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;
    const int m = (int)p->m, n = (int)p->n;

    if (n == 0)
        return;
    launch_transpose(p->m, p->n, d_a, NULL, d_columns);
    CUSOLVER(cusolverDnSgeqrf(cusolver, m, n, d_columns, m, d_tau, d_work, work_size, d_info));
    write_r<<<(unsigned)n, 256>>>(p->m, p->n, d_columns, d_sign, d_r);
    CUDA(cudaGetLastError());
    CUSOLVER(cusolverDnSorgqr(cusolver, m, n, n, d_columns, m, d_tau, d_work, work_size, d_info));
    launch_transpose(p->n, p->m, d_columns, d_sign, d_q);
}

static void release_library(void)
{
    CUSOLVER(cusolverDnDestroy(cusolver));
    CUDA(cudaFree(d_columns));
    CUDA(cudaFree(d_tau));
    CUDA(cudaFree(d_sign));
    CUDA(cudaFree(d_info));
    CUDA(cudaFree(d_work));
    release();
}

VARIANT(.idea = "the library's geqrf and orgqr, between two transpositions",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_library,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_library)
