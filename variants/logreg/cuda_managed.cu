/*
 * logreg / cuda_managed
 *
 * Idea     Managed memory: one pointer that is valid on host and device, prefetched before the first evaluation.  The others
 *          find the rows on the device.
 * Against  cuda_warp, with an array on each side and a copy between them.
 * Expect   End to end the bus's rate once, and twenty readings at memory's rate behind it: iterations pay for the trip.
 *          `reset` puts the rows back into host memory, untimed, before each run.
 * Try      Without the prefetch: pages then come one fault after another, at the first evaluation alone (cuda_unified).
 * Level    2
 * Read     cuda_buffers.h, cuda_rows.h, lbfgs.h, solve.h, trace.h
 */
#include "cuda_buffers.h" /* prepare_sums, evaluate, download, release_sums */
#include "cuda_rows.h"    /* launch_rows, blocks_for */

static const int each = 4; /* blocks per multiprocessor */

static float *m_x; /* m_: managed, valid on both sides */
static uint8_t *m_y;

#if CUDART_VERSION >= 13000 /* since CUDA 13 a place is a struct, and a prefetch has flags */
static const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
#define TO_DEVICE device, 0
#else
static const int device = 0;
#define TO_DEVICE device
#endif

static const char *refuse(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    static char reason[128];
    const double wanted = (double)p->m * ((double)p->n * sizeof(float) + 1.0);
    size_t available, all;
    int together;

    CUDA(cudaDeviceGetAttribute(&together, cudaDevAttrConcurrentManagedAccess, 0));
    if (!together)
        return "the device cannot share managed memory while it works";
    if (p->n > MOST_FEATURES)
        return too_many_features;
    CUDA(cudaMemGetInfo(&available, &all));
    if (wanted <= (double)available || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
        return NULL;
    snprintf(reason, sizeof reason, "needs %.1f GiB of managed memory, the device has %.1f free; see --oversubscribe",
             wanted / (1 << 30), (double)available / (1 << 30));
    return reason;
}

static void prepare_managed(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    prepare_sums(p->n);
    CUDA(cudaMallocManaged(&m_x, (p->m * p->n + 1) * sizeof *m_x)); /* one more: n may be 0 */
    CUDA(cudaMallocManaged(&m_y, p->m));
}

/* Puts the rows in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    const size_t count = p->m * p->n;

#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++)
        m_x[i] = p->x[i];
    memcpy(m_y, p->y, p->m);
}

static void add_up(const struct logreg *p)
{
    const unsigned blocks = blocks_for(p->m, processors, each);

    launch_rows(blocks, 0, p->m, p->n, m_x, m_y, d_w, d_parts);
    join_parts<<<(unsigned)p->n + 1, JOINERS>>>(p->n + 1, blocks, d_parts, d_sums);
    CUDA(cudaGetLastError());
}

static void run_managed(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    if (p->n > 0)
        CUDA(cudaMemPrefetchAsync(m_x, p->m * p->n * sizeof *m_x, TO_DEVICE, 0));
    CUDA(cudaMemPrefetchAsync(m_y, p->m, TO_DEVICE, 0));
    run(problem);
    download(problem);
}

static void release_managed(void)
{
    CUDA(cudaFree(m_x));
    CUDA(cudaFree(m_y));
    release_sums();
}

VARIANT(.idea = "one pointer, prefetched once",
        .base = "cuda_warp",
        .device = &device_gpu,
        .refuse = refuse,
        .prepare = prepare_managed,
        .reset = reset,
        .run = run_managed,
        .release = release_managed,
        .evaluations = evaluations)
