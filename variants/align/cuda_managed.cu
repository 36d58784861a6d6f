/*
 * align / cuda_managed
 *
 * Idea     Managed memory: one pointer that is valid on host and device, prefetched before the kernels.
 * Against  cuda_fused, with an array on each side and a copy between them.
 * Expect   End to end the bus's rate for 8 bytes a pixel, as a copy from page-locked memory has.  `reset` puts the images back
 *          into host memory, untimed, before each run.
 * Try      Without the prefetch: pages then come one fault after another (cuda_unified).
 * Level    3
 * Read     ../fft/butterflies.h, ../fft/cuda_pass.h, ../fft/passes.h, cuda_buffers.h, cuda_fused.h, cuda_fused_host.h, peak.h
 */
#include "common/variant.h"
#include "cuda_fused_host.h" /* the three kernels; job_make, job_launch, job_free, refuse_lengths */

static job whole;
static float *m_images; /* valid on both sides: [2][pairs][rows][cols] */
static float *m_eps;

#if CUDART_VERSION >= 13000 /* since CUDA 13 a place is a struct, and a prefetch has flags */
static const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
#define TO_DEVICE device, 0
#else
static const int device = 0;
#define TO_DEVICE device
#endif

static const char *refuse(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    static char reason[128];
    const double wanted = (double)(p->pairs * p->rows * p->cols) * 4 * sizeof(float); /* images, and spectra */
    size_t available, all_memory;
    int together;

    if (refuse_lengths(problem) != NULL)
        return refuse_lengths(problem);
    CUDA(cudaDeviceGetAttribute(&together, cudaDevAttrConcurrentManagedAccess, 0));
    if (!together)
        return "the device cannot share managed memory while it works";
    CUDA(cudaMemGetInfo(&available, &all_memory));
    if (wanted <= (double)available || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
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
    CUDA(cudaMallocManaged(&m_images, (2 * pixels + 1) * sizeof *m_images)); /* one more: an allocation of 0 bytes fails */
    CUDA(cudaMallocManaged(&m_eps, (p->pairs + 1) * sizeof *m_eps));
    whole.a = m_images;
    whole.b = m_images + pixels;
    whole.eps = m_eps;
    whole.to = d_answers;
}

/* Puts the images in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    const size_t pixels = p->pairs * p->rows * p->cols;

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
    const struct align *p = (const struct align *)problem;
    const size_t pixels = p->pairs * p->rows * p->cols;

    if (pixels > 0) {
        CUDA(cudaMemPrefetchAsync(m_images, 2 * pixels * sizeof *m_images, TO_DEVICE, 0));
        CUDA(cudaMemPrefetchAsync(m_eps, p->pairs * sizeof *m_eps, TO_DEVICE, 0));
    }
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

VARIANT(.idea = "one pointer, prefetched",
        .base = "cuda_fused",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .reset = reset,
        .run = run,
        .release = release)
