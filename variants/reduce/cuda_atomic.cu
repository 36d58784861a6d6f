/*
 * reduce / cuda_atomic
 *
 * Idea     One thread per element, and every thread adds its number to the same two totals by atomic additions.  A
 *          warning: it is the first idea of many, and it is right.
 * Against  cpu_naive, one loop on one core.
 * Expect   All additions meet at one address, where they take turns: some 10^9 per second on an H200, whatever the size.
 *          One core of a CPU is as fast.  The order of the additions changes from call to call, so the last bits may
 *          differ (flag V).
 * Try      atomicAdd to 32 pairs of totals, one per lane, 128 bytes apart.  How much does that save?
 * Level    1
 * Read     cuda_buffers.h
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_totals, d_answer */

static const int threads = 256;

__global__ static void add_all(size_t n, const float *x, totals *all)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    atomicAdd(&all->sum, (double)x[i]);
    atomicAdd(&all->squares, (double)x[i] * x[i]);
}

__global__ static void finish(const totals *all, float *sum_and_norm)
{
    answer(*all, sum_and_norm);
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    const size_t blocks = (p->n + threads - 1) / threads;

    CUDA(cudaMemsetAsync(d_totals, 0, sizeof *d_totals));
    if (blocks > 0)
        add_all<<<(unsigned)blocks, threads>>>(p->n, d_x, d_totals);
    CUDA(cudaGetLastError());
    finish<<<1, 1>>>(d_totals, d_answer);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "an atomic addition per element, all to one address",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F64,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
