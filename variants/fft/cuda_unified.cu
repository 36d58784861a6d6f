/*
 * fft / cuda_unified
 *
 * Idea     One pointer and no hints.  Where the device can read any host memory, the passes get the
 *          problem's own arrays and memory from malloc: no copies.  Elsewhere all of it is managed
 *          memory.  Either way, a page moves when a thread touches it, and the thread waits.
 * Against  cuda_managed, where pages are prefetched.
 * Expect   The shortest code and the slowest: pages come one fault after another, well below the
 *          bus's rate, and those of X return in the same way when the host reads them.  In managed
 *          memory, `reset` puts x back to the host before each run, untimed.
 * Try      cudaMemPrefetchAsync(m_x, ...) before the launches.  What is one line of hint worth?
 * Level    2
 * Read     cuda_pass.h
 */
#include "common/cuda.h"
#include "common/fft.h"
#include "common/variant.h"
#include "cuda_pass.h" /* root; butterfly, next_radix, count_passes, refuse_prime */

static const int threads = 256;

static bool any_memory;   /* the device can read and write all that the host can */
static float2 *m_x, *m_X; /* [batch][n] managed; unused if it can */
static float2 *w;         /* [n] roots of unity */
static float2 *work[2];   /* [batch][n] the passes alternate between the two */

__global__ static void fft_unified(size_t count, int r, size_t n, size_t s, const float2 *w,
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
    int yes;

    if (refuse_prime(problem) != NULL)
        return refuse_prime(problem);
    CUDA(cudaDeviceGetAttribute(&yes, cudaDevAttrPageableMemoryAccess, 0));
    any_memory = yes;
    CUDA(cudaMemGetInfo(&available, &all));
    if (any_memory || wanted <= (double)available || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
        return NULL;
    snprintf(reason, sizeof reason,
             "needs %.1f GiB of managed memory, the device has %.1f free; see --oversubscribe",
             wanted / (1 << 30), (double)available / (1 << 30));
    return reason;
}

static float2 *allocate(size_t numbers)
{
    size_t bytes = (numbers + 1) * sizeof(float2); /* one more: an allocation of 0 bytes fails */
    float2 *memory;

    if (any_memory)
        return (float2 *)malloc(bytes);
    CUDA(cudaMallocManaged(&memory, bytes));
    return memory;
}

static void prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    const size_t numbers = p->batch * p->n;

    m_x = allocate(any_memory ? 0 : numbers);
    m_X = allocate(any_memory ? 0 : numbers);
    work[0] = allocate(numbers);
    work[1] = allocate(numbers);
    w = allocate(p->n);
    for (size_t k = 0; k < p->n; k++)
        w[k] = root(k, p->n);
}

/* Puts x in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    if (any_memory)
        return;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->batch * p->n; i++)
        m_x[i] = make_float2(p->x[i].re, p->x[i].im);
}

static void transform(const struct fft *p, const float2 *x, float2 *X)
{
    int left = count_passes(p->n);

    for (size_t s = 1; left > 0; left--) {
        int r = next_radix(p->n / s);
        size_t count = p->batch * (p->n / r), blocks = (count + threads - 1) / threads;
        float2 *out = left == 1 ? X : work[left % 2];

        fft_unified<<<(unsigned)blocks, threads>>>(count, r, p->n, s, w, x, out);
        CUDA(cudaGetLastError());
        s *= r;
        x = out;
    }
    CUDA(cudaDeviceSynchronize()); /* until then, the host must not look at X */
}

static void run(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    const size_t numbers = p->batch * p->n;

    if (numbers == 0)
        return;
    if (any_memory) {
        transform(p, (const float2 *)p->x, (float2 *)p->X);
        return;
    }
    transform(p, m_x, m_X);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < numbers; i++) {
        p->X[i].re = m_X[i].x;
        p->X[i].im = m_X[i].y;
    }
}

static void release(void)
{
    float2 *all[] = {m_x, m_X, work[0], work[1], w};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (any_memory)
            free(all[i]);
        else
            CUDA(cudaFree(all[i]));
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
