/*
 * reduce / cuda_cub_pair
 *
 * Idea     The library, once: what CUB adds up is a pair of totals, so the array is read once for both answers.
 * Against  cuda_cub, with a call per answer.
 * Expect   Half of its time at L, and half of its launches at S.
 * Try      A third member, the largest magnitude: what does it cost?
 * Level    2
 * Read     cuda_buffers.h
 */
#include <cub/device/device_reduce.cuh>

#include "cuda_buffers.h"

static totals *d_pair;
static void *d_scratch;
static size_t scratch;

struct both {
    __host__ __device__ totals operator()(float x) const { return {x, (double)x * x}; }
};
struct join {
    __host__ __device__ totals operator()(const totals &a, const totals &b) const
    {
        return {a.sum + b.sum, a.squares + b.squares};
    }
};

__global__ static void finish(const totals *pair, float *sum_and_norm)
{
    answer(*pair, sum_and_norm);
}

/* Without scratch memory, CUB writes how much it needs. */
static void sums(const struct reduce *p, void *space, size_t *bytes)
{
    CUDA(cub::DeviceReduce::TransformReduce(space, *bytes, d_x, d_pair, p->n, join(), both(), totals{0.0, 0.0}));
}

static void prepare_scratch(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;

    prepare(problem);
    CUDA(cudaMalloc(&d_pair, sizeof *d_pair));
    sums(p, NULL, &scratch);
    CUDA(cudaMalloc(&d_scratch, scratch + 1));
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;

    sums(p, d_scratch, &scratch);
    finish<<<1, 1>>>(d_pair, d_answer);
    CUDA(cudaGetLastError());
}

static void release_scratch(void)
{
    CUDA(cudaFree(d_pair));
    CUDA(cudaFree(d_scratch));
    release();
}

VARIANT(.idea = "the library once: cub::DeviceReduce of a pair",
        .base = "cuda_cub",
        .device = &device_gpu,
        .math = MATH_F64,
        .prepare = prepare_scratch,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_scratch)
