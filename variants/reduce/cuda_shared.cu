/*
 * reduce / cuda_shared
 *
 * Idea     A tree in shared memory: the threads of a block add up in pairs, half as many each time.  A second kernel of
 *          one block does the same with the blocks' totals.  No atomic addition is left, so the order is always the same.
 * Against  cuda_naive, whose threads meet at one address.
 * Expect   The time of 2^18 atomic additions is gone.  What comes in its place: eight steps with a barrier each, and a
 *          second launch.
 * Try      Leave out one __syncthreads() and ask the simulator (make sim).
 * Level    2
 * Read     cuda_buffers.h
 *
 *     256 threads   0 1 2 3 ... 127 | 128 ... 255        thread t takes t + 128
 *     128           0 1 ... 63 | 64 ... 127              thread t takes t + 64
 *     ...           0 | 1                                thread 0 has the block's totals
 */
#include "cuda_buffers.h" /* prepare, upload, download, release; d_x, d_totals, d_answer */

enum { THREADS = 256 };

static const int each = 8; /* blocks per multiprocessor */

/* Adds up the totals of all threads.  Thread 0 returns those of the block. */
__device__ static totals block_totals(totals mine)
{
    __shared__ totals all[THREADS];

    all[threadIdx.x] = mine;
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            add(&all[threadIdx.x], all[threadIdx.x + half]);
    }
    return all[threadIdx.x];
}

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

VARIANT(.idea = "a tree in shared memory, a second kernel for the blocks",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F64,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
