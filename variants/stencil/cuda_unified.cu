/*
 * stencil / cuda_unified
 *
 * Idea     One pointer and no hints.  Where the device can read any host memory, the kernel gets
 *          the problem's own image, and memory from malloc for the sweeps between.  Elsewhere they
 *          are managed memory.  Either way, a page moves when a thread touches it, and the thread
 *          waits.
 * Against  cuda_managed, where pages are prefetched.
 * Expect   The least to write, and the slowest: pages come one fault after another, well below the
 *          bus's rate, or each read crosses the bus.  The answer's pages return in the same way
 *          when the host reads them.  In managed memory, `reset` puts the image back to the host
 *          before each run, untimed.
 * Try      sweeps = 1, 10, 100: pages that have moved once may stay.
 * Level    2
 * Read     cuda_kernel.h
 */
#include <string.h>

#include "common/cuda.h"
#include "common/stencil.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* smooth, blocks_for */

static bool any_memory; /* the device reads what malloc gives; else m_in and m_out are managed */
static char *m_in, *m_out, *m_scratch;

template <class pixel>
__global__ static void stencil_unified(size_t rows, size_t cols, const pixel *in, pixel *out)
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
    double wanted = (p->sweeps > 1 ? 3.0 : 2.0) * (double)image_bytes(p);
    size_t available, all;
    int yes;

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

static void prepare(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    size_t bytes = image_bytes(p) + 1; /* one more: an allocation of 0 bytes fails */

    if (any_memory) {
        m_in = p->bytes ? (char *)p->in8 : (char *)p->in;
        m_out = p->bytes ? (char *)p->out8 : (char *)p->out;
        m_scratch = p->sweeps > 1 ? (char *)malloc(bytes) : NULL;
        return;
    }
    CUDA(cudaMallocManaged(&m_in, bytes));
    CUDA(cudaMallocManaged(&m_out, bytes));
    m_scratch = NULL;
    if (p->sweeps > 1)
        CUDA(cudaMallocManaged(&m_scratch, bytes));
}

/* memcpy by all cores */
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

    if (!any_memory && image_bytes(p) > 0)
        copy(p, m_in, p->bytes ? (const void *)p->in8 : p->in);
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    dim3 block(32, 8), grid = blocks_for(p->rows, p->cols);
    const char *from = m_in;

    if (image_bytes(p) == 0)
        return;
    for (size_t left = p->sweeps; left > 0; left--) {
        char *to = left % 2 == 1 ? m_out : m_scratch;

        if (p->bytes)
            stencil_unified<<<grid, block>>>(p->rows, p->cols, (const uint8_t *)from,
                                             (uint8_t *)to);
        else
            stencil_unified<<<grid, block>>>(p->rows, p->cols, (const float *)from, (float *)to);
        CUDA(cudaGetLastError());
        from = to;
    }
    CUDA(cudaDeviceSynchronize()); /* before that, the host must not read the answer */
    if (!any_memory || p->sweeps == 0)
        copy(p, p->bytes ? (void *)p->out8 : p->out, from);
}

static void release(void)
{
    if (any_memory) {
        free(m_scratch);
        return;
    }
    CUDA(cudaFree(m_in));
    CUDA(cudaFree(m_out));
    CUDA(cudaFree(m_scratch));
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
