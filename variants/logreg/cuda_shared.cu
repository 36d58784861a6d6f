/*
 * logreg / cuda_shared
 *
 * Idea     Tiles of rows in shared memory: a thread finds the margin of one row of the tile, then the threads share the
 *          columns of the same tile.  Each row is read once.
 * Against  cuda_naive, which reads all rows twice, the second time with n + 1 threads.
 * Expect   Many times faster, and still far from memory's rate: while a block computes it loads nothing.
 * Try      A row length of n in place of n | 1: rows of 32 floats are then all in the same banks.
 * Level    2
 * Read     cuda_buffers.h, lbfgs.h, solve.h, trace.h
 */
#include "cuda_buffers.h" /* prepare, upload, run, download, release; residual, join_parts */

enum { THREADS = 256, FLOATS = 10240 /* of a tile */, MOST_FEATURES = THREADS - 1 };

static const int each = 4; /* blocks per multiprocessor */

/* An odd length, so that threads that read one row each are in different banks. */
__device__ static inline size_t stride_of(size_t n)
{
    return n | 1;
}

__device__ static inline size_t rows_of(size_t n)
{
    const size_t rows = FLOATS / stride_of(n);

    return rows < THREADS ? rows : (size_t)THREADS;
}

__global__ static void add_tiles(size_t m, size_t n, const float *x, const uint8_t *y, const float *w, double *of_block)
{
    __shared__ float tile[FLOATS], r[THREADS], weights[MOST_FEATURES + 1];
    __shared__ double found[THREADS];
    const size_t t = threadIdx.x, width = n + 1, stride = stride_of(n), rows = rows_of(n);
    const size_t teams = THREADS / width, team = t / width, column = t % width; /* a team takes every column once */
    double total = 0.0;

    if (t <= n)
        weights[t] = w[t];
    for (size_t first = blockIdx.x * rows; first < m; first += gridDim.x * rows) {
        const size_t count = m - first < rows ? m - first : rows;
        __syncthreads(); /* the tile before has been read */
        for (size_t k = t; k < count * n; k += THREADS)
            tile[k / n * stride + k % n] = x[first * n + k];
        __syncthreads();
        if (t < count) {
            float margin = weights[n];
            for (size_t j = 0; j < n; j++)
                margin += tile[t * stride + j] * weights[j];
            r[t] = residual(margin, y[first + t]);
        }
        __syncthreads();
        float sum = 0.0f;
        for (size_t i = team; i < count && team < teams; i += teams)
            sum += r[i] * (column < n ? tile[i * stride + column] : 1.0f);
        total += (double)sum;
    }
    found[t] = total;
    __syncthreads();
    if (t < width) {
        for (size_t k = 1; k < teams; k++)
            total += found[k * width + t];
        of_block[blockIdx.x * width + t] = total;
    }
}

static const char *refuse(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    return p->n > MOST_FEATURES ? "a thread a column: takes at most 255 features" : NULL;
}

static void add_up(const struct logreg *p)
{
    const size_t rows = FLOATS / (p->n | 1) < THREADS ? FLOATS / (p->n | 1) : (size_t)THREADS;
    const size_t tiles = (p->m + rows - 1) / rows, most = (size_t)(processors * each);
    const unsigned blocks = (unsigned)(tiles < most ? tiles : most < MOST_PARTS ? most : MOST_PARTS);

    add_tiles<<<blocks, THREADS>>>(p->m, p->n, d_x, d_y, d_w, d_parts);
    CUDA(cudaGetLastError());
    join_parts<<<(unsigned)p->n + 1, JOINERS>>>(p->n + 1, blocks, d_parts, d_sums);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "tiles of rows: margins and gradient from one reading",
        .base = "cuda_naive",
        .device = &device_gpu,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release,
        .evaluations = evaluations)
