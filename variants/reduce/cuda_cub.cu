/*
 * reduce / cuda_cub
 *
 * Idea     The library, as most would call it: CUB's DeviceReduce once for the sum, and once for the squares, which an
 *          iterator makes while they are read.
 * Against  cuda_single, which reads the array once for both answers.
 * Expect   Each call at the memory's rate, so twice the time at L, and four launches at S.
 * Try      cuda_cub_pair.
 * Level    2
 * Read     cuda_buffers.h
 */
#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>

#include "cuda_buffers.h"

static double *d_two; /* the sum, and the sum of squares */
static void *d_scratch;
static size_t scratch;

struct wide {
    __host__ __device__ double operator()(float x) const { return x; }
};
struct square {
    __host__ __device__ double operator()(float x) const { return (double)x * x; }
};

__global__ static void finish(const double *two, float *sum_and_norm)
{
    answer(totals{two[0], two[1]}, sum_and_norm);
}

/* Without scratch memory, CUB writes how much it needs. */
static void sums(const struct reduce *p, void *space, size_t *bytes)
{
    CUDA(cub::DeviceReduce::TransformReduce(space, *bytes, d_x, d_two, p->n, cuda::std::plus<double>(), wide(), 0.0));
    CUDA(cub::DeviceReduce::TransformReduce(space, *bytes, d_x, d_two + 1, p->n, cuda::std::plus<double>(), square(),
                                            0.0));
}

static void prepare_scratch(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;

    prepare(problem);
    CUDA(cudaMalloc(&d_two, 2 * sizeof *d_two));
    sums(p, NULL, &scratch);
    CUDA(cudaMalloc(&d_scratch, scratch + 1));
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;

    sums(p, d_scratch, &scratch);
    finish<<<1, 1>>>(d_two, d_answer);
    CUDA(cudaGetLastError());
}

static void release_scratch(void)
{
    CUDA(cudaFree(d_two));
    CUDA(cudaFree(d_scratch));
    release();
}

VARIANT(.idea = "the library: cub::DeviceReduce, twice",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F64,
        .prepare = prepare_scratch,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_scratch)
