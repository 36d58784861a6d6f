/*
 * logreg / cuda_naive
 *
 * Idea     A thread a row for the margins, then a thread a column for the gradient.  L-BFGS stays on the host.
 * Against  cpu_lbfgs, with the same two loops.
 * Expect   The first kernel has m threads, and neighbours read n numbers apart.  The second has n + 1 threads for all rows:
 *          a GPU of 100000 threads waits for 33 of them.
 * Try      The two kernels under `rungs profile logreg/cuda_naive --size M`.
 * Level    1
 * Read     cuda_buffers.h, lbfgs.h, solve.h, trace.h
 */
#include "cuda_buffers.h" /* prepare, upload, run, download, release; residual */

static const unsigned threads = 256;
static float *d_r; /* [m] residuals */

__global__ static void find_residuals(size_t m, size_t n, const float *x, const uint8_t *y, const float *w, float *r)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float margin = w[n];

    if (i >= m)
        return;
    for (size_t j = 0; j < n; j++)
        margin += x[i * n + j] * w[j];
    r[i] = residual(margin, y[i]);
}

__global__ static void add_columns(size_t m, size_t n, const float *x, const float *r, double *sums)
{
    const size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0.0;

    if (j > n)
        return;
    for (size_t i = 0; i < m; i++)
        sum += (double)r[i] * (j < n ? x[i * n + j] : 1.0f);
    sums[j] = sum;
}

static void add_up(const struct logreg *p)
{
    find_residuals<<<(unsigned)((p->m + threads - 1) / threads), threads>>>(p->m, p->n, d_x, d_y, d_w, d_r);
    CUDA(cudaGetLastError());
    add_columns<<<(unsigned)(p->n / threads + 1), threads>>>(p->m, p->n, d_x, d_r, d_sums);
    CUDA(cudaGetLastError());
}

static void prepare_residuals(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    prepare(problem);
    CUDA(cudaMalloc(&d_r, p->m * sizeof *d_r));
}

static void release_residuals(void)
{
    CUDA(cudaFree(d_r));
    release();
}

VARIANT(.idea = "a thread a row, then a thread a column; L-BFGS on the host",
        .base = "cpu_lbfgs",
        .device = &device_gpu,
        .prepare = prepare_residuals,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_residuals,
        .evaluations = evaluations)
