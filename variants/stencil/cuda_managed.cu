/*
 * stencil / cuda_managed
 *
 * Idea     Managed memory: one pointer that is valid on host and device, and hints to the runtime.
 *          The input is prefetched to the device before the first sweep.  The answer stays in host
 *          memory: the last sweep writes it there across the bus, and none of its pages moves.
 * Against  cuda_naive, which has two copies of each image and copies between them.
 * Expect   End to end: the image over the bus once each way, at nearly its full rate.  The input
 *          begins in host memory, where `reset` puts it, untimed.
 * Try      Leave out the prefetch, then the advice as well: what are the hints worth?
 * Level    2
 * Read     cuda_kernel.h
 */
#include <string.h>

#include "common/cuda.h"
#include "common/stencil.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* smooth, blocks_for */

static char *m_in, *m_out; /* m_: valid on both sides */
static char *m_work[2];    /* images between two sweeps, always on the device; NULL for a single sweep */

#if CUDART_VERSION >= 13000 /* since CUDA 13 a place is a struct, and a prefetch has flags */
static const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
static const cudaMemLocation host = {cudaMemLocationTypeHost, 0};
#define TO_DEVICE device, 0
#else
static const int device = 0, host = cudaCpuDeviceId;
#define TO_DEVICE device
#endif

template <class pixel>
__global__ static void stencil_managed(size_t rows, size_t cols, const pixel *in, pixel *out)
{
    smooth(rows, cols, in, out);
}

static size_t image_bytes(const struct stencil *p)
{
    return p->rows * p->cols * (p->bytes ? sizeof(uint8_t) : sizeof(float));
}

static const char *refuse(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    static char reason[128];
    double wanted = (p->sweeps > 1 ? 4.0 : 2.0) * (double)image_bytes(p);
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

static void prepare(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    size_t bytes = image_bytes(p) + 1; /* one more: an allocation of 0 bytes fails */

    CUDA(cudaMallocManaged(&m_in, bytes));
    CUDA(cudaMallocManaged(&m_out, bytes));
    CUDA(cudaMemAdvise(m_out, bytes, cudaMemAdviseSetPreferredLocation, host));
    CUDA(cudaMemAdvise(m_out, bytes, cudaMemAdviseSetAccessedBy, device)); /* mapped: no faults */
    for (int i = 0; i < 2 && p->sweeps > 1; i++) {
        CUDA(cudaMallocManaged(&m_work[i], bytes));
        CUDA(cudaMemAdvise(m_work[i], bytes, cudaMemAdviseSetPreferredLocation, device));
        CUDA(cudaMemPrefetchAsync(m_work[i], bytes, TO_DEVICE, 0)); /* new pages, made there */
    }
}

/* memcpy by all cores, because one alone is slower than the bus. */
static void copy(const struct stencil *p, void *to, const void *from)
{
    size_t row = image_bytes(p) / p->rows;

#pragma omp parallel for schedule(static)
    for (size_t r = 0; r < p->rows; r++)
        memcpy((char *)to + r * row, (const char *)from + r * row, row);
}

/* Puts the image in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    if (image_bytes(p) > 0)
        copy(p, m_in, p->bytes ? (const void *)p->in8 : p->in);
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    dim3 block(32, 8), grid = blocks_for(p->rows, p->cols);
    const char *from = m_in;

    if (image_bytes(p) == 0)
        return;
    CUDA(cudaMemPrefetchAsync(m_in, image_bytes(p), TO_DEVICE, 0));
    for (size_t left = p->sweeps; left > 0; left--) {
        char *to = left == 1 ? m_out : m_work[left % 2];

        if (p->bytes)
            stencil_managed<<<grid, block>>>(p->rows, p->cols, (const uint8_t *)from,
                                             (uint8_t *)to);
        else
            stencil_managed<<<grid, block>>>(p->rows, p->cols, (const float *)from, (float *)to);
        CUDA(cudaGetLastError());
        from = to;
    }
    CUDA(cudaDeviceSynchronize()); /* no copy follows that would wait for the kernel */
    copy(p, p->bytes ? (void *)p->out8 : p->out, from); /* without a sweep, the input itself */
}

static void release(void)
{
    CUDA(cudaFree(m_in));
    CUDA(cudaFree(m_out));
    for (int i = 0; i < 2; i++) {
        CUDA(cudaFree(m_work[i]));
        m_work[i] = NULL;
    }
}

VARIANT(.idea = "one pointer, with hints: prefetch and advice",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .reset = reset,
        .run = run,
        .release = release)
