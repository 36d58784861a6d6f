/*
 * logreg / cuda_unified
 *
 * Idea     One pointer and no hint.  Where the device reads the host's ordinary memory, it is the problem's own array.
 *          Elsewhere it is managed memory, whose pages move when the first evaluation touches them.
 * Against  cuda_managed, with a prefetch.
 * Expect   Managed: the first evaluation takes as long as all page faults, the others as in cuda_warp.  Where the device
 *          reads host memory directly, each evaluation may pay for the trip.
 * Try      `rungs bench logreg/cuda_managed logreg/cuda_unified --size L`.
 * Level    2
 * Read     cuda_buffers.h, cuda_rows.h, lbfgs.h, solve.h, trace.h
 */
#include "cuda_buffers.h" /* prepare_sums, evaluate, download, release_sums */
#include "cuda_rows.h"    /* launch_rows, blocks_for */

static const int each = 4; /* blocks per multiprocessor */

static float *m_x; /* m_: managed; NULL where the device reads any memory */
static uint8_t *m_y;

static bool any_memory(void)
{
    int yes;

    CUDA(cudaDeviceGetAttribute(&yes, cudaDevAttrPageableMemoryAccess, 0));
    return yes;
}

static const char *refuse(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    static char reason[128];
    const double wanted = (double)p->m * ((double)p->n * sizeof(float) + 1.0);
    size_t available, all;

    if (p->n > MOST_FEATURES)
        return too_many_features;
    CUDA(cudaMemGetInfo(&available, &all));
    if (any_memory() || wanted <= (double)available || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
        return NULL;
    snprintf(reason, sizeof reason, "needs %.1f GiB of managed memory, the device has %.1f free; see --oversubscribe",
             wanted / (1 << 30), (double)available / (1 << 30));
    return reason;
}

static void prepare_unified(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    prepare_sums(p->n);
    m_x = NULL;
    m_y = NULL;
    if (any_memory())
        return;
    CUDA(cudaMallocManaged(&m_x, (p->m * p->n + 1) * sizeof *m_x)); /* one more: n may be 0 */
    CUDA(cudaMallocManaged(&m_y, p->m));
}

/* Puts the rows in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    const size_t count = p->m * p->n;

    if (m_x == NULL)
        return;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++)
        m_x[i] = p->x[i];
    memcpy(m_y, p->y, p->m);
}

static void add_up(const struct logreg *p)
{
    const unsigned blocks = blocks_for(p->m, processors, each);

    launch_rows(blocks, 0, p->m, p->n, m_x != NULL ? m_x : p->x, m_y != NULL ? m_y : p->y, d_w, d_parts);
    join_parts<<<(unsigned)p->n + 1, JOINERS>>>(p->n + 1, blocks, d_parts, d_sums);
    CUDA(cudaGetLastError());
}

static void run_unified(const void *problem)
{
    run(problem);
    download(problem);
}

static void release_unified(void)
{
    CUDA(cudaFree(m_x));
    CUDA(cudaFree(m_y));
    release_sums();
}

VARIANT(.idea = "one pointer, no hints: pages move when first touched",
        .base = "cuda_managed",
        .device = &device_gpu,
        .refuse = refuse,
        .prepare = prepare_unified,
        .reset = reset,
        .run = run_unified,
        .release = release_unified,
        .evaluations = evaluations)
