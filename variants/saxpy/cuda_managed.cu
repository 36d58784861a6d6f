/*
 * saxpy / cuda_managed
 *
 * Idea     Managed memory: one pointer that is valid on host and device, and hints to the runtime.
 *          x and y are prefetched to the device before the kernel.  z stays in host memory, and the
 *          device writes it there across the bus, once: no page of z ever moves.
 * Against  cuda_naive, which has two copies of each array and copies between them.
 * Expect   End to end: 8 bytes per element over the bus, prefetched at its full rate, then 4 bytes
 *          back at the rate at which the kernel writes.  x and y begin in host memory, where
 *          `reset` puts them, untimed.
 * Try      Leave out the two prefetches, then the advice as well: what are the hints worth?  Then
 *          cudaMemAdviseSetReadMostly for x and y.  It is good advice for data that are never
 *          written again, but here `reset` writes them, and each page must first be taken back from
 *          the device.
 * Level    2
 * Read     nothing else
 */
#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

static const int threads = 256;

static float *m_x, *m_y, *m_z; /* m_: valid on both sides */

#if CUDART_VERSION >= 13000 /* since CUDA 13 a place is a struct, and a prefetch has flags */
static const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
static const cudaMemLocation host = {cudaMemLocationTypeHost, 0};
#define TO_DEVICE device, 0
#else
static const int device = 0, host = cudaCpuDeviceId;
#define TO_DEVICE device
#endif

__global__ static void saxpy_managed(size_t n, float a, const float *x, const float *y, float *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i];
}

static const char *refuse(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    static char reason[128];
    double wanted = 3.0 * (double)p->n * sizeof(float);
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
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t bytes = (p->n + 1) * sizeof(float); /* one more: an allocation of 0 bytes fails */

    CUDA(cudaMallocManaged(&m_x, bytes));
    CUDA(cudaMallocManaged(&m_y, bytes));
    CUDA(cudaMallocManaged(&m_z, bytes));
    CUDA(cudaMemAdvise(m_z, bytes, cudaMemAdviseSetPreferredLocation, host));
    CUDA(cudaMemAdvise(m_z, bytes, cudaMemAdviseSetAccessedBy, device)); /* mapped: no faults */
}

/* Puts x and y in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++) {
        m_x[i] = p->x[i];
        m_y[i] = p->y[i];
    }
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t blocks = (p->n + threads - 1) / threads, bytes = p->n * sizeof(float);

    if (p->n == 0)
        return;
    CUDA(cudaMemPrefetchAsync(m_x, bytes, TO_DEVICE, 0));
    CUDA(cudaMemPrefetchAsync(m_y, bytes, TO_DEVICE, 0));
    saxpy_managed<<<(unsigned)blocks, threads>>>(p->n, p->a, m_x, m_y, m_z);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize()); /* no copy follows that would wait for the kernel */
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = m_z[i];
}

static void release(void)
{
    CUDA(cudaFree(m_x));
    CUDA(cudaFree(m_y));
    CUDA(cudaFree(m_z));
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
