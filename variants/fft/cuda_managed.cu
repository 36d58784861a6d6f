/*
 * fft / cuda_managed
 *
 * Idea     Managed memory: one pointer that is valid on host and device, and hints to the runtime.
 *          x is prefetched to the device.  What the passes leave in between stays on the device.  X
 *          stays in host memory: the last pass writes it there across the bus, once.  No page moves
 *          without need, and none moves back.
 * Against  cuda_stockham, which has two copies of each array and copies between them.
 * Expect   End to end: 8 bytes per number over the bus, prefetched at its full rate, then 8 back at
 *          the rate at which the last pass writes.  x begins in host memory, where `reset` puts it,
 *          untimed.
 * Try      Leave out the prefetch, then the advice as well: what are the hints worth?
 * Level    2
 * Read     cuda_pass.h
 */
#include "common/cuda.h"
#include "common/fft.h"
#include "common/variant.h"
#include "cuda_pass.h" /* root; butterfly, next_radix, count_passes, refuse_prime */

static const int threads = 256;

/* m_: valid on both sides */
static float2 *m_x, *m_X; /* [batch][n] */
static float2 *m_w;       /* [n] roots of unity */
static float2 *m_work[2]; /* [batch][n] the passes alternate between the two */

#if CUDART_VERSION >= 13000 /* since CUDA 13 a place is a struct, and a prefetch has flags */
static const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
static const cudaMemLocation host = {cudaMemLocationTypeHost, 0};
#define TO_DEVICE device, 0
#else
static const int device = 0, host = cudaCpuDeviceId;
#define TO_DEVICE device
#endif

__global__ static void fft_managed(size_t count, int r, size_t n, size_t s, const float2 *w,
                                   const float2 *in, float2 *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= count)
        return;

    size_t signal = i / (n / r), rest = i % (n / r), p = rest / s, q = rest % s;

    butterfly(r, n, w, p * s, in + signal * n + rest, n / r, out + signal * n + q + r * s * p, s);
}

static const char *refuse(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    static char reason[128];
    double wanted = (4.0 * (double)p->batch + 1.0) * (double)p->n * sizeof(float2);
    size_t available, all;
    int together;

    if (refuse_prime(problem) != NULL)
        return refuse_prime(problem);
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
    const struct fft *p = (const struct fft *)problem;
    size_t table = p->n * sizeof(float2);
    size_t bytes = p->batch * table + 1; /* one more: an allocation of 0 bytes fails */

    CUDA(cudaMallocManaged(&m_w, table));
    for (size_t k = 0; k < p->n; k++)
        m_w[k] = root(k, p->n);
    CUDA(cudaMallocManaged(&m_x, bytes));
    CUDA(cudaMallocManaged(&m_X, bytes));
    CUDA(cudaMemAdvise(m_w, table, cudaMemAdviseSetReadMostly, device));
    CUDA(cudaMemAdvise(m_X, bytes, cudaMemAdviseSetPreferredLocation, host));
    CUDA(cudaMemAdvise(m_X, bytes, cudaMemAdviseSetAccessedBy, device)); /* mapped: no faults */
    CUDA(cudaMemPrefetchAsync(m_w, table, TO_DEVICE, 0));
    for (int i = 0; i < 2; i++) {
        CUDA(cudaMallocManaged(&m_work[i], bytes));
        CUDA(cudaMemAdvise(m_work[i], bytes, cudaMemAdviseSetPreferredLocation, device));
        CUDA(cudaMemPrefetchAsync(m_work[i], bytes, TO_DEVICE, 0)); /* made there, not moved */
    }
}

/* Puts x in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->batch * p->n; i++)
        m_x[i] = make_float2(p->x[i].re, p->x[i].im);
}

static void run(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    const size_t numbers = p->batch * p->n;
    const float2 *in = m_x;
    int left = count_passes(p->n);

    if (numbers == 0)
        return;
    CUDA(cudaMemPrefetchAsync(m_x, numbers * sizeof *m_x, TO_DEVICE, 0));
    for (size_t s = 1; left > 0; left--) {
        int r = next_radix(p->n / s);
        size_t count = numbers / r, blocks = (count + threads - 1) / threads;
        float2 *out = left == 1 ? m_X : m_work[left % 2];

        fft_managed<<<(unsigned)blocks, threads>>>(count, r, p->n, s, m_w, in, out);
        CUDA(cudaGetLastError());
        s *= r;
        in = out;
    }
    CUDA(cudaDeviceSynchronize()); /* no copy follows that would wait for the kernel */
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < numbers; i++) {
        p->X[i].re = m_X[i].x;
        p->X[i].im = m_X[i].y;
    }
}

static void release(void)
{
    CUDA(cudaFree(m_x));
    CUDA(cudaFree(m_X));
    CUDA(cudaFree(m_w));
    CUDA(cudaFree(m_work[0]));
    CUDA(cudaFree(m_work[1]));
}

VARIANT(.idea = "one pointer, with hints: prefetch and advice",
        .base = "cuda_stockham",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .reset = reset,
        .run = run,
        .release = release)
