/*
 * reduce / cuda_vector
 *
 * Idea     Keep the memory busy: 16 bytes per load, four loads of a thread issued before the first is used.
 * Against  cuda_warp, with one load of 4 bytes in flight per thread.
 * Expect   95 % of the memory's rate at L: nothing is written, so this is the rate of reading alone.
 * Try      QUADS = 1, 2, 8.  Watch the registers (-Xptxas -v).
 * Level    2
 * Read     cuda_block.h, cuda_buffers.h
 */
#include "cuda_block.h"

enum { THREADS = 256, QUADS = 4 };

static const int each = 4; /* blocks per multiprocessor */

__global__ static void add_blocks(size_t n, const float *x, totals *of_block)
{
    const totals mine = block_totals(thread_totals<THREADS, QUADS>(n, x));

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
    const unsigned blocks = blocks_for(p->n, THREADS * QUADS * 4, each);

    add_blocks<<<blocks, THREADS>>>(p->n, d_x, d_totals);
    CUDA(cudaGetLastError());
    finish<<<1, THREADS>>>(blocks, d_totals, d_answer);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "16 bytes per load, four loads in flight",
        .base = "cuda_warp",
        .device = &device_gpu,
        .math = MATH_F64,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
