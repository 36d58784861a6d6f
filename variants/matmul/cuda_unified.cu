/*
 * matmul / cuda_unified
 *
 * Idea     One pointer and not a word to the runtime: the kernel touches the case's own arrays,
 *          where the device can read ordinary memory.  Elsewhere managed memory stands in for them.
 * Against  cuda_managed, which says in time where pages will be wanted.
 * Expect   Compare end to end: all of it is in `run`; A and B start at home.  Each page that is not there stops a warp
 *          until the driver has fetched it or reads it over the bus; both sides wait for each
 *          other.  The cautionary variant: least to write, most to wait for.
 * Try      cuda_managed without its prefetches.  And n = 256 against n = 4096: who minds the
 *          faults?
 */
#include <string.h>

#include "common/cuda.h"
#include "common/matmul.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* multiply_tile, TILE, STEP */

static int reads_ordinary_memory; /* does the device? */
static float *m_a, *m_b, *m_c;    /* managed, if it does not; else NULL */

/* One float more than needed: managed memory of no bytes at all is refused. */
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

/* A and B at home: pages that the host writes come back to it. */
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
    CUDA(cudaDeviceSynchronize()); /* before the host touches what the kernel has written */
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
    CUDA(cudaFree(m_a)); /* NULL, which is none, if it never was allocated */
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
