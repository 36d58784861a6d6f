/*
 * qr / cuda_naive
 *
 * Idea     cpu_naive's loops, with two kernels a column: one block makes a reflector, then a block for each column to its right
 *          reflects it.  Q is the identity, reflected backwards, a kernel for each reflector.  In float32, sums in float64.
 * Against  cpu_naive, where one thread does all of it.
 * Expect   3 n launches, and a step waits for the one before.  The threads of a warp read a column of a matrix that lies in
 *          rows: 32 sectors for 32 numbers.  Where n is small, few blocks have work, and one of them makes the reflector.
 * Try      A transposed copy of A, so that a column's numbers are neighbours.  How much of the time was that?
 * Level    1
 * Read     nothing else
 */
#include "common/cuda.h"
#include "common/qr.h"
#include "common/variant.h"

enum { THREADS = 256 }; /* of a block */

static float *d_a, *d_q, *d_r; /* d_: on the device */
static float *d_w;             /* [m][n] the matrix, then reflectors below the diagonal, R above it */
static float *d_diag, *d_tau;  /* [n] R's diagonal; the factors of the reflections */

/* The sum over a block's threads, in all of them. */
__device__ static double block_sum(double mine)
{
    __shared__ double all[THREADS];

    __syncthreads(); /* the sum before has been read */
    all[threadIdx.x] = mine;
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            all[threadIdx.x] += all[threadIdx.x + half];
    }
    __syncthreads();
    return all[0];
}

/* Column k from row k on, x, becomes v: x minus its image, over its first number.  So v begins with a 1, which is not stored, and
   none of its numbers is larger.  Of the image's two signs we take the one that cancels nothing. */
__global__ static void make_reflector(size_t m, size_t n, size_t k, float *w, float *diag, float *tau)
{
    const double head = w[k * n + k];
    double mine = 0;

    for (size_t i = k + threadIdx.x; i < m; i += THREADS)
        mine += (double)w[i * n + k] * w[i * n + k];

    const double length = sqrt(block_sum(mine)), image = head > 0 ? -length : length;

    for (size_t i = k + 1 + threadIdx.x; i < m; i += THREADS)
        w[i * n + k] = length > 0 ? (float)(w[i * n + k] / (head - image)) : 0;
    if (threadIdx.x == 0) {
        diag[k] = (float)image;
        tau[k] = length > 0 ? (float)((image - head) / image) : 0; /* 0: nothing to reflect */
    }
}

/* A block for each column of `to` from `from` on: column less tau v (v . column). */
__global__ static void reflect(size_t m, size_t n, size_t k, const float *w, const float *tau, size_t from, float *to)
{
    const size_t j = from + blockIdx.x;
    double mine = threadIdx.x == 0 ? to[k * n + j] : 0;

    for (size_t i = k + 1 + threadIdx.x; i < m; i += THREADS)
        mine += (double)w[i * n + k] * to[i * n + j];

    const float factor = (float)(tau[k] * block_sum(mine));

    if (threadIdx.x == 0)
        to[k * n + j] -= factor;
    for (size_t i = k + 1 + threadIdx.x; i < m; i += THREADS)
        to[i * n + j] -= factor * w[i * n + k];
}

/* A block for each row: Q before its reflections.  Where R's diagonal is negative, R's row is turned, and Q's column. */
__global__ static void begin_answer(size_t n, const float *w, const float *diag, float *q, float *r)
{
    const size_t i = blockIdx.x;

    for (size_t j = threadIdx.x; j < n; j += THREADS) {
        const float sign = diag[j] < 0 ? -1 : 1;

        q[i * n + j] = i == j ? sign : 0;
        if (i < n)
            r[i * n + j] = j < i ? 0 : j == i ? fabsf(diag[i]) : diag[i] < 0 ? -w[i * n + j] : w[i * n + j];
    }
}

static void prepare(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    CUDA(cudaMalloc(&d_a, p->m * p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_w, p->m * p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_q, p->m * p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_r, p->n * p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_diag, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_tau, p->n * sizeof(float)));
}

static void upload(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    CUDA(cudaMemcpy(d_a, p->a, p->m * p->n * sizeof(float), cudaMemcpyHostToDevice));
}

static void run(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;
    const size_t m = p->m, n = p->n;

    if (n == 0)
        return; /* a launch of no blocks is an error */
    CUDA(cudaMemcpyAsync(d_w, d_a, m * n * sizeof(float), cudaMemcpyDeviceToDevice));
    for (size_t k = 0; k < n; k++) {
        make_reflector<<<1, THREADS>>>(m, n, k, d_w, d_diag, d_tau);
        if (k + 1 < n)
            reflect<<<(unsigned)(n - k - 1), THREADS>>>(m, n, k, d_w, d_tau, k + 1, d_w);
    }
    begin_answer<<<(unsigned)m, THREADS>>>(n, d_w, d_diag, d_q, d_r);
    for (size_t k = n; k-- > 0;) /* the columns before k are 0 from row k on */
        reflect<<<(unsigned)(n - k), THREADS>>>(m, n, k, d_w, d_tau, k, d_q);
    CUDA(cudaGetLastError()); /* a bad launch is reported here, not by the next copy */
}

static void download(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    CUDA(cudaMemcpy(p->q, d_q, p->m * p->n * sizeof(float), cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(p->r, d_r, p->n * p->n * sizeof(float), cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_w));
    CUDA(cudaFree(d_q));
    CUDA(cudaFree(d_r));
    CUDA(cudaFree(d_diag));
    CUDA(cudaFree(d_tau));
}

VARIANT(.idea = "two kernels a column, a block for each column that is reflected",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
