/*
 * reduce / cuda_multi
 *
 * Idea     All GPUs, one host thread for each.  Each GPU adds up one part, and the host adds the parts' totals in order.
 * Against  cuda_single, on one GPU.
 * Expect   End to end: the rate at which one host core can copy ordinary memory to a GPU, times the number of GPUs,
 *          until the host's memory is the limit.  Only 16 bytes come back from each.
 * Try      --devices 1,2,4.
 * Level    2
 * Read     cuda_block.h, cuda_buffers.h
 */
#include <omp.h>

#include "cuda_block.h"

enum { THREADS = 256, QUADS = 4, BLOCKS = 528 };

static struct gpu {
    float *d_x;
    struct totals *d_totals; /* [BLOCKS], and behind them those of the part */
    struct totals part;
} *gpus;

static int count; /* of GPUs */

__global__ static void add_blocks(size_t n, const float *x, totals *of_block)
{
    const totals mine = block_totals(thread_totals<THREADS, QUADS>(n, x));

    if (threadIdx.x == 0)
        of_block[blockIdx.x] = mine;
}

__global__ static void join(totals *of_block)
{
    totals mine = {0.0, 0.0};

    for (unsigned b = threadIdx.x; b < BLOCKS; b += THREADS)
        add(&mine, of_block[b]);
    mine = block_totals(mine);
    if (threadIdx.x == 0)
        of_block[BLOCKS] = mine;
}

/* The part of GPU g begins here; parts are whole lines of 128 bytes. */
static size_t begin_of(size_t n, int g)
{
    const size_t part = ((n + (size_t)count - 1) / (size_t)count + 31) / 32 * 32;

    return part * (size_t)g < n ? part * (size_t)g : n;
}

static void prepare_all(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;

    CUDA(cudaGetDeviceCount(&count));
    gpus = (struct gpu *)malloc((size_t)count * sizeof *gpus);
    for (int g = 0; g < count; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaMalloc(&gpus[g].d_x, (begin_of(p->n, g + 1) - begin_of(p->n, g)) * sizeof *gpus[g].d_x));
        CUDA(cudaMalloc(&gpus[g].d_totals, (BLOCKS + 1) * sizeof *gpus[g].d_totals));
    }
    CUDA(cudaSetDevice(0)); /* the current device is per thread; the harness uses device 0 */
}

static void add_part(const struct reduce *p, int g)
{
    const size_t first = begin_of(p->n, g), n = begin_of(p->n, g + 1) - first;
    struct gpu *mine = &gpus[g];

    CUDA(cudaSetDevice(g));
    CUDA(cudaMemcpy(mine->d_x, p->x + first, n * sizeof *p->x, cudaMemcpyHostToDevice));
    add_blocks<<<BLOCKS, THREADS>>>(n, mine->d_x, mine->d_totals);
    CUDA(cudaGetLastError());
    join<<<1, THREADS>>>(mine->d_totals);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(&mine->part, mine->d_totals + BLOCKS, sizeof mine->part, cudaMemcpyDeviceToHost));
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    double sum = 0.0, squares = 0.0;

#pragma omp parallel num_threads(count)
    add_part(p, omp_get_thread_num()); /* thread 0 is the harness's, which uses GPU 0 */
    for (int g = 0; g < count; g++) {
        sum += gpus[g].part.sum;
        squares += gpus[g].part.squares;
    }
    *p->sum = (float)sum;
    *p->norm = (float)sqrt(squares);
}

static void release_all(void)
{
    for (int g = 0; g < count; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaFree(gpus[g].d_x));
        CUDA(cudaFree(gpus[g].d_totals));
    }
    CUDA(cudaSetDevice(0));
    free(gpus);
}

VARIANT(.idea = "one host thread and one part per GPU",
        .base = "cuda_single",
        .device = &device_gpu,
        .math = MATH_F64,
        .traits = TRAIT_ALL_GPUS,
        .prepare = prepare_all,
        .run = run,
        .release = release_all)
