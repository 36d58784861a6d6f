/*
 * cg / cuda_managed
 *
 * Idea     A in managed memory: it moves to the device once, in large pieces (prefetch), and all iterations find it there.
 * Against  cuda_fused, whose upload copies A before.
 * Expect   Compare end to end: all of it is in `run`.  The more iterations, the less the way of A matters: 50 products of
 *          memory's rate against one trip over the bus.
 * Try      Leave out the prefetch: the first product waits for its pages, the others do not.
 * Level    2
 * Read     cuda_buffers.h, cuda_rows.h, cuda_steps.h
 */
#include <string.h>

#include "common/variant.h"
#include "cuda_rows.h" /* iterate_once, iterate_on_device; prepare_vectors, release_vectors, download; d_b */

/* Since CUDA 13 a place is a struct, and a prefetch has flags; before, a place was a number. */
#if CUDART_VERSION >= 13000
static const struct cudaMemLocation gpu = {cudaMemLocationTypeDevice, 0};
#define TO(place) place, 0
#else
static const int gpu = 0;
#define TO(place) place
#endif

static float *m_a; /* managed */

/* One float more than needed: an allocation of 0 bytes fails. */
static size_t bytes_of(const struct cg *s)
{
    return (s->n * s->n + 1) * sizeof(float);
}

static const char *refuse(const void *problem)
{
    const size_t needed = bytes_of((const struct cg *)problem);
    size_t left, all;
    int moves_pages;
    static char why[128];

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

static void prepare_managed(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;

    CUDA(cudaMallocManaged(&m_a, bytes_of(s)));
    prepare_vectors(s->n);
}

/* Puts A in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;

    memcpy(m_a, s->a, s->n * s->n * sizeof(float));
}

static void run(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;

    if (s->n == 0)
        return;
    CUDA(cudaMemPrefetchAsync(m_a, bytes_of(s), TO(gpu), 0));
    CUDA(cudaMemcpy(d_b, s->b, s->n * sizeof(float), cudaMemcpyHostToDevice));
    iterate_on_device(s, [=] { iterate_once(s->n, m_a, 0); });
    download(problem);
}

static void release_managed(void)
{
    CUDA(cudaFree(m_a));
    release_vectors();
}

VARIANT(.idea = "A in managed memory: it moves once, with a hint",
        .base = "cuda_fused",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_managed,
        .reset = reset,
        .run = run,
        .release = release_managed)
