/*
 * matmul / cuda_unified
 *
 * Idea     One pointer and no hints: the kernel reads and writes the problem's own arrays, where
 *          the device can read ordinary host memory.  Elsewhere managed memory takes their place.
 * Against  cuda_managed, which prefetches the pages.
 * Expect   Compare end to end: all of it is in `run`; A and B start in host memory.  An access to a
 *          page that is not on the device makes a warp wait, until the driver has moved the page or
 *          the bus has carried the data.  Least to write, most to wait for.
 * Try      cuda_managed without its prefetches.  And n = 256 and n = 4096: at which do the faults
 *          matter?
 * Level    2
 * Read     cuda_kernel.h
 */
#include <string.h>

#include "common/cuda.h"
#include "common/matmul.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* multiply_tile, TILE, STEP */

static int reads_ordinary_memory; /* does the device? */
static float *m_a, *m_b, *m_c;    /* managed, if it does not; else NULL */

/* One float more than needed: an allocation of 0 bytes fails. */
static size_t bytes_of(size_t rows, size_t columns)
{
    return (rows * columns + 1) * sizeof(float);
}

__global__ static void matmul_unified(size_t m, size_t n, size_t k, const float *a, const float *b,
                                      float *c)
{
    multiply_tile(m, n, k, a, b, c);
}

static const char *refuse(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    size_t needed = bytes_of(p->m, p->k) + bytes_of(p->k, p->n) + bytes_of(p->m, p->n);
    size_t left, all;
    static char why[128];

    CUDA(cudaDeviceGetAttribute(&reads_ordinary_memory, cudaDevAttrPageableMemoryAccess, 0));
    CUDA(cudaMemGetInfo(&left, &all));
    if (reads_ordinary_memory || needed <= left || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
        return NULL;
    snprintf(why, sizeof why,
             "needs %.1f GiB of managed memory, the device has %.1f free; see --oversubscribe",
             (double)needed / (1 << 30), (double)left / (1 << 30));
    return why;
}

static void prepare(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    if (reads_ordinary_memory)
        return;
    CUDA(cudaMallocManaged(&m_a, bytes_of(p->m, p->k)));
    CUDA(cudaMallocManaged(&m_b, bytes_of(p->k, p->n)));
    CUDA(cudaMallocManaged(&m_c, bytes_of(p->m, p->n)));
}

/* Puts A and B in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    if (reads_ordinary_memory)
        return;
    memcpy(m_a, p->a, p->m * p->k * sizeof(float));
    memcpy(m_b, p->b, p->k * p->n * sizeof(float));
}

static void multiply(const struct matmul *p, const float *a, const float *b, float *c)
{
    size_t tiles = (p->m + TILE - 1) / TILE * ((p->n + TILE - 1) / TILE);

    if (tiles == 0)
        return;
    matmul_unified<<<(unsigned)tiles, dim3(TILE, STEP)>>>(p->m, p->n, p->k, a, b, c);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize()); /* before the host reads what the kernel has written */
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;

    if (reads_ordinary_memory) {
        multiply(p, p->a, p->b, p->c);
        return;
    }
    multiply(p, m_a, m_b, m_c);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->m; i++)
        memcpy(p->c + i * p->n, m_c + i * p->n, p->n * sizeof(float));
}

static void release(void)
{
    CUDA(cudaFree(m_a)); /* NULL where nothing was allocated: cudaFree then does nothing */
    CUDA(cudaFree(m_b));
    CUDA(cudaFree(m_c));
    m_a = m_b = m_c = NULL;
}

VARIANT(.idea = "one pointer and no hints: pages move when touched",
        .base = "cuda_managed",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .reset = reset,
        .run = run,
        .release = release)
