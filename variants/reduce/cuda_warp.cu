/*
 * reduce / cuda_warp
 *
 * Idea     Shuffles: within a warp a thread reads another one's register, so five steps of the tree need neither shared
 *          memory nor a barrier.  Only one pair of totals per warp goes through shared memory.
 * Against  cuda_shared, with eight steps through shared memory and a barrier each.
 * Expect   A microsecond less in each of the two kernels.  At L nothing: there the loop over the array is the time.
 * Try      __shfl_xor_sync in place of __shfl_down_sync: who has the totals then?
 * Level    2
 * Read     cuda_block.h, cuda_buffers.h
 */
#include "cuda_block.h"

enum { THREADS = 256 };

static const int each = 8; /* blocks per multiprocessor */

__global__ static void add_blocks(size_t n, const float *x, totals *of_block)
{
    const size_t stride = (size_t)gridDim.x * THREADS;
    totals mine = {0.0, 0.0};

    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += stride)
        add(&mine, x[i]);
    mine = block_totals(mine);
    if (threadIdx.x == 0)
        of_block[blockIdx.x] = mine;
}

__global__ static void finish(unsigned blocks, const totals *of_block, float *sum_and_norm)
{
    totals mine = {0.0, 0.0};

    for (unsigned b = threadIdx.x; b < blocks; b += THREADS)
        add(&mine, of_block[b]);
    mine = block_totals(mine);
    if (threadIdx.x == 0)
        answer(mine, sum_and_norm);
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    const unsigned blocks = blocks_for(p->n, THREADS, each);

    add_blocks<<<blocks, THREADS>>>(p->n, d_x, d_totals);
    CUDA(cudaGetLastError());
    finish<<<1, THREADS>>>(blocks, d_totals, d_answer);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "shuffles in place of most of the tree",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F64,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
