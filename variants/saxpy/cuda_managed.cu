/*
 * saxpy / cuda_managed
 *
 * Idea     Managed memory: one pointer that host and device both follow, and a runtime that is told
 *          what will happen.  Before the host fills x and y in, their pages are with it; then they
 *          are sent ahead of the kernel.  z stays with the host, and the device writes it there,
 *          once, across the bus: no page of it ever moves.
 * Against  cuda_naive, which names two memories and copies between them.
 * Expect   End to end: 8 bytes an element over the bus, sent ahead at its full rate, then 4 back at
 *          the kernel's.  Filling x and y is in the time: our data lie elsewhere.  No side ever
 *          touches a page that is not there: each such fault costs as much as copying some pages.
 * Try      Leave out the prefetches, then all advice as well: what does not being told cost?  And
 *          advise cudaMemAdviseSetReadMostly for x and y, which each call writes: what does a wrong
 *          word cost?
 */
#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

static const int threads = 256;

static float *m_x, *m_y, *m_z; /* valid on both sides, as all that begins with m_ */

#if CUDART_VERSION >= 13000 /* places are structs there, and a prefetch has flags */
static const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
static const cudaMemLocation host = {cudaMemLocationTypeHost, 0};
#define TO(place) place, 0
#else
static const int device = 0, host = cudaCpuDeviceId;
#define TO(place) place
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
    static char reason[96];
    double wanted = 3.0 * (double)p->n * sizeof(float);
    size_t available, all;
    int together;

    CUDA(cudaDeviceGetAttribute(&together, cudaDevAttrConcurrentManagedAccess, 0));
    if (!together)
        return "the device cannot share managed memory while it works";
    CUDA(cudaMemGetInfo(&available, &all));
    if (wanted <= (double)available || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
        return NULL;
    snprintf(reason, sizeof reason, "needs %.1f GiB of managed memory, the device has %.1f free",
             wanted / (1 << 30), (double)available / (1 << 30));
    return reason;
}

/* Where a call finds the pages: all with the host, which fills in x and y. */
static void take_places(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

    for (float *array : {m_x, m_y, m_z})
        CUDA(cudaMemPrefetchAsync(array, (p->n + 1) * sizeof(float), TO(host), 0));
}

static void prepare(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t bytes = (p->n + 1) * sizeof(float); /* one more: no managed memory has no bytes */

    CUDA(cudaMallocManaged(&m_x, bytes));
    CUDA(cudaMallocManaged(&m_y, bytes));
    CUDA(cudaMallocManaged(&m_z, bytes));
    CUDA(cudaMemAdvise(m_z, bytes, cudaMemAdviseSetPreferredLocation, host));
    CUDA(cudaMemAdvise(m_z, bytes, cudaMemAdviseSetAccessedBy, device)); /* mapped: no faults */
    take_places(problem);
}

/* memcpy by all cores: one alone is slower than the bus. */
static void copy(float *to, const float *from, size_t n)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    size_t blocks = (p->n + threads - 1) / threads, bytes = p->n * sizeof(float);

    if (p->n == 0)
        return;
    copy(m_x, p->x, p->n);
    CUDA(cudaMemPrefetchAsync(m_x, bytes, TO(device), 0));
    copy(m_y, p->y, p->n); /* while x is on its way */
    CUDA(cudaMemPrefetchAsync(m_y, bytes, TO(device), 0));
    saxpy_managed<<<(unsigned)blocks, threads>>>(p->n, p->a, m_x, m_y, m_z);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize()); /* one pointer: nothing else says when the answer is there */
    copy(p->z, m_z, p->n);
    take_places(problem); /* for the next call */
}

static void release(void)
{
    CUDA(cudaFree(m_x));
    CUDA(cudaFree(m_y));
    CUDA(cudaFree(m_z));
}

VARIANT(.idea = "one pointer; the runtime is told: prefetch and advice",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
