/*
 * reduce / cuda_unified
 *
 * Idea     One pointer and no hints.  Where the device can read any host memory, the kernel gets the problem's own
 *          array.  Elsewhere it is managed memory.  Either way a page moves when a thread touches it.
 * Against  cuda_managed, which prefetches.
 * Expect   Far below the bus's rate: pages come one fault after another.
 * Try      cudaMemPrefetchAsync(m_x, ...) before the launch.
 * Level    2
 * Read     cuda_block.h, cuda_buffers.h
 */
#include "cuda_block.h"

enum { THREADS = 256, QUADS = 4 };

static const int each = 4; /* blocks per multiprocessor */

static float *m_x; /* managed; NULL where the device reads any memory */

static bool any_memory(void)
{
    int yes;

    CUDA(cudaDeviceGetAttribute(&yes, cudaDevAttrPageableMemoryAccess, 0));
    return yes;
}

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

static const char *refuse(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    static char reason[128];
    const double wanted = (double)p->n * sizeof(float);
    size_t available, all;

    CUDA(cudaMemGetInfo(&available, &all));
    if (any_memory() || wanted <= (double)available || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
        return NULL;
    snprintf(reason, sizeof reason,
             "needs %.1f GiB of managed memory, the device has %.1f free; see --oversubscribe",
             wanted / (1 << 30), (double)available / (1 << 30));
    return reason;
}

static void prepare_unified(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    const struct reduce none = {.n = 0, .x = NULL, .sum = NULL, .norm = NULL};

    prepare(&none);
    m_x = NULL;
    if (any_memory())
        return;
    CUDA(cudaMallocManaged(&m_x, (p->n + 1) * sizeof *m_x)); /* one more: an allocation of 0 bytes fails */
}

/* Puts x in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;

    if (m_x == NULL)
        return;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++)
        m_x[i] = p->x[i];
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    const unsigned blocks = blocks_for(p->n, THREADS * QUADS * 4, each);

    add_blocks<<<blocks, THREADS>>>(p->n, m_x != NULL ? m_x : p->x, d_totals);
    CUDA(cudaGetLastError());
    finish<<<1, THREADS>>>(blocks, d_totals, d_answer);
    CUDA(cudaGetLastError());
    download(problem);
}

static void release_unified(void)
{
    CUDA(cudaFree(m_x));
    release();
}

VARIANT(.idea = "one pointer, no hints: pages move when touched",
        .base = "cuda_managed",
        .device = &device_gpu,
        .math = MATH_F64,
        .refuse = refuse,
        .prepare = prepare_unified,
        .reset = reset,
        .run = run,
        .release = release_unified)
