/*
 * Tensor cores through the vendor's library: products of square matrices of SIDE rows.
 *
 * The numbers are random: on zeros a GPU is an eighth faster, because it needs less power.  The including
 * file names the type of the numbers and the arithmetic of the library.
 */
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include "gpu.h"

enum { SIDE = 8192 };

static NUMBER *d_a, *d_b;
static float *d_c;
static cublasHandle_t cublas;

/* Writes numbers between -1 and 1 with all bits that the type has. */
__global__ static void fill(size_t n, unsigned seed, NUMBER *array)
{
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) {
        unsigned bits = (unsigned)i * 2654435761u ^ seed;
        bits = (bits ^ bits >> 15) * 2246822519u;
        bits = (bits ^ bits >> 13) * 3266489917u;
        array[i] = (NUMBER)((float)(int)(bits ^ bits >> 16) * 0x1p-31f);
    }
}

static const char *refuse(const void *problem)
{
    static char reason[64];
    int major;

    (void)problem; /* it has no size */
    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    snprintf(reason, sizeof reason, "no such units before compute capability %d.0", CAPABILITY);
    return major < CAPABILITY ? reason : NULL;
}

static void prepare(const void *problem)
{
    const size_t count = (size_t)SIDE * SIDE;

    (void)problem;
    CUDA(cudaMalloc(&d_a, count * sizeof *d_a));
    CUDA(cudaMalloc(&d_b, count * sizeof *d_b));
    CUDA(cudaMalloc(&d_c, count * sizeof *d_c));
    fill<<<1024, THREADS>>>(count, 1, d_a);
    fill<<<1024, THREADS>>>(count, 2, d_b);
    CUDA(cudaGetLastError());
    CUBLAS(cublasCreate(&cublas));
}

static void run(const void *problem)
{
    const float one = 1, zero = 0;

    CUBLAS(cublasGemmEx(cublas, CUBLAS_OP_N, CUBLAS_OP_N, SIDE, SIDE, SIDE, &one, d_a, KIND, SIDE,
                        d_b, KIND, SIDE, &zero, d_c, CUDA_R_32F, SIDE, COMPUTE,
                        CUBLAS_GEMM_DEFAULT));
    report(problem, 2.0 * SIDE * SIDE * SIDE);
}

static void release(void)
{
    CUBLAS(cublasDestroy(cublas));
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_b));
    CUDA(cudaFree(d_c));
}
