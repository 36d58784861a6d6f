/*
 * align / cuda_unified
 *
 * Idea     One pointer and no hints.  Where the device can read any host memory, the kernels get the problem's own arrays.
 *          Elsewhere they are managed memory.  Either way a page moves when a thread touches it.
 * Against  cuda_managed, which prefetches.
 * Expect   Far below the bus's rate: pages come one fault after another.  Only the first kernel reads the images, and it reads
 *          each pixel once.
 * Try      cudaMemPrefetchAsync(m_images, ...) before the launch.
 * Level    3
 * Read     ../fft/butterflies.h, ../fft/cuda_pass.h, ../fft/passes.h, cuda_buffers.h, cuda_fused.h, cuda_fused_host.h, peak.h
 */
#include "common/variant.h"
#include "cuda_fused_host.h" /* the three kernels; job_make, job_launch, job_free, refuse_lengths */

static job whole;
static float *m_images; /* managed: [2][pairs][rows][cols]; NULL where the device reads any memory */
static float *m_eps;

static bool any_memory(void)
{
    int yes;

    CUDA(cudaDeviceGetAttribute(&yes, cudaDevAttrPageableMemoryAccess, 0));
    return yes;
}

static const char *refuse(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    static char reason[128];
    const double wanted = (double)(p->pairs * p->rows * p->cols) * 4 * sizeof(float); /* images, and spectra */
    size_t available, all_memory;

    if (refuse_lengths(problem) != NULL)
        return refuse_lengths(problem);
    CUDA(cudaMemGetInfo(&available, &all_memory));
    if (any_memory() || wanted <= (double)available || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
        return NULL;
    snprintf(reason, sizeof reason, "needs %.1f GiB of managed memory, the device has %.1f free; see --oversubscribe",
             wanted / (1 << 30), (double)available / (1 << 30));
    return reason;
}

static void prepare(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    const struct align answers_only = {.pairs = p->pairs, .rows = 0, .cols = 0};
    const size_t pixels = p->pairs * p->rows * p->cols;

    buffers_prepare(&answers_only);
    whole = job_make(p, p->pairs);
    whole.a = p->a;
    whole.b = p->b;
    whole.eps = p->eps;
    whole.to = d_answers;
    m_images = m_eps = NULL;
    if (any_memory())
        return;
    CUDA(cudaMallocManaged(&m_images, (2 * pixels + 1) * sizeof *m_images)); /* one more: an allocation of 0 bytes fails */
    CUDA(cudaMallocManaged(&m_eps, (p->pairs + 1) * sizeof *m_eps));
    whole.a = m_images;
    whole.b = m_images + pixels;
    whole.eps = m_eps;
}

/* Puts the images in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    const size_t pixels = p->pairs * p->rows * p->cols;

    if (m_images == NULL)
        return;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < pixels; i++) {
        m_images[i] = p->a[i];
        m_images[pixels + i] = p->b[i];
    }
    for (size_t pair = 0; pair < p->pairs; pair++)
        m_eps[pair] = p->eps[pair];
}

static void run(const void *problem)
{
    job_launch(whole, 0);
    download(problem);
}

static void release(void)
{
    CUDA(cudaFree(m_images));
    CUDA(cudaFree(m_eps));
    job_free(&whole);
    buffers_release();
}

VARIANT(.idea = "one pointer, no hints: pages move when touched",
        .base = "cuda_managed",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .reset = reset,
        .run = run,
        .release = release)
