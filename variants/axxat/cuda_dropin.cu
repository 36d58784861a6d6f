/*
 * axxat / cuda_dropin
 *
 * Idea     A library of the GPU in place of one of the CPU, call by call: each product brings its two matrices to the
 *          device and takes its answer back, and the host adds the answers.  So programs look in which one import has
 *          been exchanged.
 * Against  cpu_naive.  And cuda_cublas: the same two products of data that stay.
 * Expect   Compare end to end: all of it is in `run`.  Bound by the bus: four matrices go and two come, 24 n^2 bytes where
 *          12 n^2 are enough, and the sum is made at the host's rate.
 * Try      n = 128 and n = 4096: at which is the bus a larger share?
 * Level    1
 * Read     nothing else
 */
#include <cublas_v2.h>
#include <limits.h>

#include "common/axxat.h"
#include "common/cuda.h"
#include "common/variant.h"

static cublasHandle_t cublas;
static float *d_left, *d_right, *d_product;
static float *first, *second; /* A X and X A^T, on the host */

static const char *refuse(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;

    return p->n > INT_MAX ? "cuBLAS counts in int: no side may exceed 2^31 - 1" : NULL;
}

static void prepare(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;
    const size_t bytes = p->n * p->n * sizeof(float);

    CUDA(cudaMalloc(&d_left, bytes));
    CUDA(cudaMalloc(&d_right, bytes));
    CUDA(cudaMalloc(&d_product, bytes));
    first = (float *)malloc(bytes);
    second = (float *)malloc(bytes);
    CUBLAS(cublasCreate(&cublas));
}

/* What a call of such a library does: left times right, or times right's transpose. */
static void multiply(const float *left, const float *right, cublasOperation_t transposed, float *product, size_t n)
{
    const size_t bytes = n * n * sizeof(float);
    const float one = 1, zero = 0;

    CUDA(cudaMemcpy(d_left, left, bytes, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_right, right, bytes, cudaMemcpyHostToDevice));
    CUBLAS(cublasSgemm(cublas, transposed, CUBLAS_OP_N, (int)n, (int)n, (int)n, &one, d_right, (int)n, d_left, (int)n,
                       &zero, d_product, (int)n));
    CUDA(cudaMemcpy(product, d_product, bytes, cudaMemcpyDeviceToHost));
}

static void run(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;

    if (p->n == 0)
        return;
    multiply(p->a, p->x, CUBLAS_OP_N, first, p->n);
    multiply(p->x, p->a, CUBLAS_OP_T, second, p->n);
#pragma omp parallel for simd
    for (size_t e = 0; e < p->n * p->n; e++)
        p->y[e] = first[e] + second[e];
}

static void release(void)
{
    CUBLAS(cublasDestroy(cublas));
    CUDA(cudaFree(d_left));
    CUDA(cudaFree(d_right));
    CUDA(cudaFree(d_product));
    free(first);
    free(second);
}

VARIANT(.idea = "each operation a library's call, with copies there and back",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
