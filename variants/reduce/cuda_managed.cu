/*
 * reduce / cuda_managed
 *
 * Idea     Managed memory: one pointer that is valid on host and device, prefetched before the kernel.
 * Against  cuda_warp, with an array on each side and a copy between them.
 * Expect   End to end the bus's rate for 4 bytes per element, as a copy from page-locked memory has.  `reset` puts the
 *          array back into host memory, untimed, before each run.
 * Try      Without the prefetch: pages then come one fault after another (cuda_unified).
 * Level    2
 * Read     cuda_block.h, cuda_buffers.h
 */
#include "cuda_block.h"

enum { THREADS = 256, QUADS = 4 };

static const int each = 4; /* blocks per multiprocessor */

static float *m_x; /* valid on both sides */

#if CUDART_VERSION >= 13000 /* since CUDA 13 a place is a struct, and a prefetch has flags */
static const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
#define TO_DEVICE device, 0
#else
static const int device = 0;
#define TO_DEVICE device
#endif

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
    int together;

    CUDA(cudaDeviceGetAttribute(&together, cudaDevAttrConcurrentManagedAccess, 0));
    if (!together)
        return "the device cannot share managed memory while it works";
    CUDA(cudaMemGetInfo(&available, &all));
    if (wanted <= (double)available || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
        return NULL;
    snprintf(reason, sizeof reason,
             "needs %.1f GiB of managed memory, the device has %.1f free; see --oversubscribe",
             wanted / (1 << 30), (double)available / (1 << 30));
    return reason;
}

static void prepare_managed(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    const struct reduce none = {.n = 0, .x = NULL, .sum = NULL, .norm = NULL};

    prepare(&none);
    CUDA(cudaMallocManaged(&m_x, (p->n + 1) * sizeof *m_x)); /* one more: an allocation of 0 bytes fails */
}

/* Puts x in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;

#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++)
        m_x[i] = p->x[i];
}

static void run(const void *problem)
{
    const struct reduce *p = (const struct reduce *)problem;
    const unsigned blocks = blocks_for(p->n, THREADS * QUADS * 4, each);

    if (p->n > 0)
        CUDA(cudaMemPrefetchAsync(m_x, p->n * sizeof *m_x, TO_DEVICE, 0));
    add_blocks<<<blocks, THREADS>>>(p->n, m_x, d_totals);
    CUDA(cudaGetLastError());
    finish<<<1, THREADS>>>(blocks, d_totals, d_answer);
    CUDA(cudaGetLastError());
    download(problem);
}

static void release_managed(void)
{
    CUDA(cudaFree(m_x));
    release();
}

VARIANT(.idea = "one pointer, prefetched",
        .base = "cuda_warp",
        .device = &device_gpu,
        .math = MATH_F64,
        .refuse = refuse,
        .prepare = prepare_managed,
        .reset = reset,
        .run = run,
        .release = release_managed)
