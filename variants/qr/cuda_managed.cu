/*
 * qr / cuda_managed
 *
 * Idea     Managed memory: one pointer that is valid on host and device, and pages that move between them.  Hints move A to the
 *          device before the first kernel, and Q to host memory behind the last one (prefetches).  Q begins on the device, since
 *          the reflectors lie in its place, which are read there once more (advice).
 * Against  cuda_shared, the same kernels with separate memory on each side and copies between them.
 * Expect   Compare end to end: all of it is in `run`.  Prefetched pages move in large pieces, faster than a copy from ordinary
 *          memory; the kernels take as long as before.  `reset` puts A in host memory, untimed.
 * Try      Leave out the second prefetch: the host then takes Q page by page.
 * Level    3
 * Read     cuda_panel.h, cuda_tree.h
 */
#include <string.h>

#include "common/variant.h"
#include "cuda_tree.h" /* tree_refuse, tree_prepare, tree_run, tree_release */

/* Since CUDA 13 a place is a struct, and a prefetch has flags; before, a place was a number. */
#if CUDART_VERSION >= 13000
static const struct cudaMemLocation gpu = {cudaMemLocationTypeDevice, 0};
static const struct cudaMemLocation host = {cudaMemLocationTypeHost, 0};
#define TO(place) place, 0
#else
static const int gpu = 0, host = cudaCpuDeviceId;
#define TO(place) place
#endif

static float *m_a, *m_q, *m_r; /* m_: managed */
static struct tree tree;

/* One float more than needed: an allocation of 0 bytes fails. */
static size_t bytes_of(size_t rows, size_t n)
{
    return (rows * n + 1) * sizeof(float);
}

static const char *refuse(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;
    const size_t needed = 2 * bytes_of(p->m, p->n) + bytes_of(p->n, p->n);
    size_t left, all;
    int moves_pages;
    static char why[128];

    if (tree_refuse(problem) != NULL)
        return tree_refuse(problem);
    CUDA(cudaDeviceGetAttribute(&moves_pages, cudaDevAttrConcurrentManagedAccess, 0));
    if (!moves_pages)
        return "managed memory takes no hints on this device";
    CUDA(cudaMemGetInfo(&left, &all));
    if (needed <= left || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
        return NULL;
    snprintf(why, sizeof why,
             "needs %.1f GiB of managed memory, the device has %.1f free; see --oversubscribe",
             (double)needed / (1 << 30), (double)left / (1 << 30));
    return why;
}

static void prepare(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    CUDA(cudaMallocManaged(&m_a, bytes_of(p->m, p->n)));
    CUDA(cudaMallocManaged(&m_q, bytes_of(p->m, p->n)));
    CUDA(cudaMallocManaged(&m_r, bytes_of(p->n, p->n)));
    CUDA(cudaMemAdvise(m_q, bytes_of(p->m, p->n), cudaMemAdviseSetPreferredLocation, gpu));
    tree_prepare(&tree, p->m, p->n);
}

/* Puts A in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    memcpy(m_a, p->a, p->m * p->n * sizeof(float));
}

static void run(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    CUDA(cudaMemPrefetchAsync(m_a, bytes_of(p->m, p->n), TO(gpu), 0));
    tree_run(&tree, m_a, m_q, m_r);
    CUDA(cudaMemPrefetchAsync(m_q, bytes_of(p->m, p->n), TO(host), 0));
    CUDA(cudaDeviceSynchronize()); /* before the host reads what the kernels have written */
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->m; i++)
        memcpy(p->q + i * p->n, m_q + i * p->n, p->n * sizeof(float));
    memcpy(p->r, m_r, p->n * p->n * sizeof(float));
}

static void release(void)
{
    tree_release(&tree);
    CUDA(cudaFree(m_a));
    CUDA(cudaFree(m_q));
    CUDA(cudaFree(m_r));
}

VARIANT(.idea = "one pointer for both sides, with hints: prefetches there and back",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .reset = reset,
        .run = run,
        .release = release)
