/*
 * reduce / cuda_naive
 *
 * Idea     As many threads as the device holds.  Each goes through the array in strides of the whole grid with totals of
 *          its own, and adds these to the joint totals by one atomic addition of each kind at its end.
 * Against  cuda_atomic, with two atomic additions per element.
 * Expect   2^18 threads instead of 2^28 elements meet at the two addresses: a millisecond, which small sizes feel.
 *          At L half of the memory's rate or more: each thread waits for one load of 4 bytes at a time.
 * Try      each = 1, 2, 16 blocks per multiprocessor.
 * Level    1
 * Read     cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_totals, d_answer */

static const int threads = 256, each = 8;

__global__ static void add_own(size_t n, const float *x, totals *all)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    totals mine = {0.0, 0.0};

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        add(&mine, x[i]);
    atomicAdd(&all->sum, mine.sum);
    atomicAdd(&all->squares, mine.squares);
}

__global__ static void finish(const totals *all, float *sum_and_norm)
{
    answer(*all, sum_and_norm);
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;

    CUDA(cudaMemsetAsync(d_totals, 0, sizeof *d_totals));
    add_own<<<blocks_for(p->n, threads, each), threads>>>(p->n, d_x, d_totals);
    CUDA(cudaGetLastError());
    finish<<<1, 1>>>(d_totals, d_answer);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "totals per thread, one atomic addition at the end",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F64,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
