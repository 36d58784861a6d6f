/*
 * qr / cuda_unified
 *
 * Idea     One pointer and no hints: the kernels read and write the problem's own arrays, where the device can read ordinary
 *          host memory.  Elsewhere managed memory takes their place.
 * Against  cuda_managed, which prefetches the pages.
 * Expect   Compare end to end: all of it is in `run`.  A page that is not on the device makes a warp wait, until the driver has
 *          moved it or the bus has carried the data.  Q's pages are needed three times: for reflectors to be written, for
 *          reflectors to be read, and for Q.
 * Try      Reflectors in memory of the device's own, in place of Q's: is that faster?
 * Level    3
 * Read     cuda_panel.h, cuda_tree.h
 */
#include <string.h>

#include "common/variant.h"
#include "cuda_tree.h" /* tree_refuse, tree_prepare, tree_run, tree_release */

static int reads_ordinary_memory; /* does the device? */
static float *m_a, *m_q, *m_r;    /* managed, if it does not; else NULL */
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
    static char why[128];

    if (tree_refuse(problem) != NULL)
        return tree_refuse(problem);
    CUDA(cudaDeviceGetAttribute(&reads_ordinary_memory, cudaDevAttrPageableMemoryAccess, 0));
    CUDA(cudaMemGetInfo(&left, &all));
    if (reads_ordinary_memory || needed <= left || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
        return NULL;
    snprintf(why, sizeof why,
             "needs %.1f GiB of managed memory, the device has %.1f free; see --oversubscribe",
             (double)needed / (1 << 30), (double)left / (1 << 30));
    return why;
}

static void prepare(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    tree_prepare(&tree, p->m, p->n);
    if (reads_ordinary_memory)
        return;
    CUDA(cudaMallocManaged(&m_a, bytes_of(p->m, p->n)));
    CUDA(cudaMallocManaged(&m_q, bytes_of(p->m, p->n)));
    CUDA(cudaMallocManaged(&m_r, bytes_of(p->n, p->n)));
}

/* Puts A in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    if (!reads_ordinary_memory)
        memcpy(m_a, p->a, p->m * p->n * sizeof(float));
}

static void run(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    if (reads_ordinary_memory)
        tree_run(&tree, p->a, p->q, p->r);
    else
        tree_run(&tree, m_a, m_q, m_r);
    CUDA(cudaDeviceSynchronize()); /* before the host reads what the kernels have written */
    if (reads_ordinary_memory)
        return;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->m; i++)
        memcpy(p->q + i * p->n, m_q + i * p->n, p->n * sizeof(float));
    memcpy(p->r, m_r, p->n * p->n * sizeof(float));
}

static void release(void)
{
    tree_release(&tree);
    CUDA(cudaFree(m_a)); /* NULL where nothing was allocated: cudaFree then does nothing */
    CUDA(cudaFree(m_q));
    CUDA(cudaFree(m_r));
    m_a = m_q = m_r = NULL;
}

VARIANT(.idea = "one pointer and no hints: pages move when touched",
        .base = "cuda_managed",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .reset = reset,
        .run = run,
        .release = release)
