/*
 * cg / cuda_unified
 *
 * Idea     No hints: the kernel reads the problem's own A, where the device can read ordinary host memory.  Elsewhere managed
 *          memory takes its place.
 * Against  cuda_managed, which prefetches the pages.
 * Expect   Compare end to end: all of it is in `run`.  Pages move at the first product, and it waits for each of them; or
 *          they stay, and every iteration reads A over the bus.
 * Try      The number of iterations, by --tol: does the time grow with it?
 * Level    2
 * Read     cuda_buffers.h, cuda_rows.h, cuda_steps.h
 */
#include <string.h>

#include "common/variant.h"
#include "cuda_rows.h" /* iterate_once, iterate_on_device; prepare_vectors, release_vectors, download; d_b */

static int reads_ordinary_memory; /* does the device? */
static float *m_a;                /* managed, if it does not; else NULL */

/* One float more than needed: an allocation of 0 bytes fails. */
static size_t bytes_of(const struct cg *s)
{
    return (s->n * s->n + 1) * sizeof(float);
}

static const char *refuse(const void *problem)
{
    const size_t needed = bytes_of((const struct cg *)problem);
    size_t left, all;
    static char why[128];

    CUDA(cudaDeviceGetAttribute(&reads_ordinary_memory, cudaDevAttrPageableMemoryAccess, 0));
    CUDA(cudaMemGetInfo(&left, &all));
    if (reads_ordinary_memory || needed <= left || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
        return NULL;
    snprintf(why, sizeof why,
             "needs %.1f GiB of managed memory, the device has %.1f free; see --oversubscribe",
             (double)needed / (1 << 30), (double)left / (1 << 30));
    return why;
}

static void prepare_unified(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;

    if (!reads_ordinary_memory)
        CUDA(cudaMallocManaged(&m_a, bytes_of(s)));
    prepare_vectors(s->n);
}

/* Puts A in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;

    if (!reads_ordinary_memory)
        memcpy(m_a, s->a, s->n * s->n * sizeof(float));
}

static void run(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;
    const float *a = reads_ordinary_memory ? s->a : m_a;

    if (s->n == 0)
        return;
    CUDA(cudaMemcpy(d_b, s->b, s->n * sizeof(float), cudaMemcpyHostToDevice));
    iterate_on_device(s, [=] { iterate_once(s->n, a, 0); });
    download(problem);
}

static void release_unified(void)
{
    CUDA(cudaFree(m_a)); /* NULL where nothing was allocated: cudaFree then does nothing */
    m_a = NULL;
    release_vectors();
}

VARIANT(.idea = "no hints: pages of A move when touched",
        .base = "cuda_managed",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_unified,
        .reset = reset,
        .run = run,
        .release = release_unified)
