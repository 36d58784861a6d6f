/*
 * reduce / cuda_single
 *
 * Idea     One launch.  Each block that has written its totals takes a ticket from a counter; who gets the last one knows
 *          that all others are there, and adds them up.  The totals are added in the order of the blocks, so the answer
 *          has the same bits in each call.
 * Against  cuda_vector, with a second kernel for the blocks' totals.
 * Expect   At S half of the time: a launch is gone.  At L nothing: the launch was 1 % of the time.
 * Try      Leave out the __threadfence(): the last block may then read totals that are not there yet.  Does the judge
 *          see it, and how often?
 * Level    2
 * Read     cuda_block.h, cuda_buffers.h
 */
#include "cuda_block.h"

enum { THREADS = 256, QUADS = 4 };

static const int each = 4; /* blocks per multiprocessor */

/* Takes a ticket for the block.  Returns, in every thread, whether it was the last one. */
__device__ static bool last_block(unsigned *done)
{
    __shared__ bool last;

    if (threadIdx.x == 0) {
        __threadfence(); /* the totals are written before the ticket is taken */
        last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1; /* the last one sets it to 0, for the next call */
    }
    __syncthreads();
    return last;
}

__global__ static void add_all(size_t n, const float *x, totals *of_block, unsigned *done, float *sum_and_norm)
{
    totals mine = block_totals(thread_totals<THREADS, QUADS>(n, x));

    if (threadIdx.x == 0)
        of_block[blockIdx.x] = mine;
    if (!last_block(done))
        return;
    __threadfence();
    mine = {0.0, 0.0};
    for (unsigned b = threadIdx.x; b < gridDim.x; b += THREADS) {
        const volatile totals *other = &of_block[b]; /* from memory: this block may have cached an old value */
        add(&mine, totals{other->sum, other->squares});
    }
    mine = block_totals(mine);
    if (threadIdx.x == 0)
        answer(mine, sum_and_norm);
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;

    add_all<<<blocks_for(p->n, THREADS * QUADS * 4, each), THREADS>>>(p->n, d_x, d_totals, d_done, d_answer);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "one launch: the last block adds up the others' totals",
        .base = "cuda_vector",
        .device = &device_gpu,
        .math = MATH_F64,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
