/*
 * saxpy / cuda_unified
 *
 * Idea     One pointer and no hints.  Where the device can read any host memory, the kernel gets
 *          the problem's own arrays: no allocation, no copy, only a launch.  Elsewhere they are
 *          managed memory.  Either way, a page moves when a thread touches it, and the thread
 *          waits.
 * Against  cuda_managed, where pages are prefetched.
 * Expect   The shortest code and the slowest: pages come one fault after another, well below the
 *          bus's rate, and those of z return in the same way when the host reads them.  In managed
 *          memory, `reset` puts x and y back to the host before each run, untimed.
 * Try      cudaMemPrefetchAsync(m_x, ...) before the launch.  What is one line of hint worth?
 * Level    2
 * Read     nothing else
 */
#include "common/cuda.h"
#include "common/saxpy.h"
#include "common/variant.h"

static const int threads = 256;

static float *m_x, *m_y, *m_z; /* managed; NULL where the device reads any memory */

static bool any_memory(void)
{
    int yes;

    CUDA(cudaDeviceGetAttribute(&yes, cudaDevAttrPageableMemoryAccess, 0));
    return yes;
}

__global__ static void saxpy_unified(size_t n, float a, const float *x, const float *y, float *z)
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

    CUDA(cudaMemGetInfo(&available, &all));
    if (any_memory() || wanted <= (double)available || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
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

    m_x = m_y = m_z = NULL;
    if (any_memory())
        return;
    CUDA(cudaMallocManaged(&m_x, bytes));
    CUDA(cudaMallocManaged(&m_y, bytes));
    CUDA(cudaMallocManaged(&m_z, bytes));
}

/* Puts x and y in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

    if (m_x == NULL)
        return;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++) {
        m_x[i] = p->x[i];
        m_y[i] = p->y[i];
    }
}

static void launch(const struct saxpy *p, const float *x, const float *y, float *z)
{
    size_t blocks = (p->n + threads - 1) / threads;

    saxpy_unified<<<(unsigned)blocks, threads>>>(p->n, p->a, x, y, z);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize()); /* before that, the host must not read z */
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

    if (p->n == 0)
        return;
    if (m_x == NULL) {
        launch(p, p->x, p->y, p->z);
        return;
    }
    launch(p, m_x, m_y, m_z);
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

VARIANT(.idea = "one pointer, no hints: pages move when touched",
        .base = "cuda_managed",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .reset = reset,
        .run = run,
        .release = release)
