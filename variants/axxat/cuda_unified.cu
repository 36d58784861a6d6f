/*
 * axxat / cuda_unified
 *
 * Idea     One pointer and no hints: the kernel reads and writes the problem's own arrays, where the device can read
 *          ordinary host memory.  Elsewhere managed memory takes their place.
 * Against  cuda_managed, which prefetches the pages.
 * Expect   Compare end to end: all of it is in `run`.  An access to a page that is not on the device makes a warp wait,
 *          until the driver has moved the page or the bus has carried the data.
 * Try      cuda_managed without its prefetches.  And n = 128 and n = 4096: at which do the faults matter?
 * Level    2
 * Read     cuda_kernel.h
 */
#include <string.h>

#include "common/axxat.h"
#include "common/cuda.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* both_sums, tiles_in, TILE, STEP */

static int reads_ordinary_memory; /* does the device? */
static float *m_a, *m_x, *m_y;    /* managed, if it does not; else NULL */

/* One float more than needed: an allocation of 0 bytes fails. */
static size_t bytes_of(const struct axxat *p)
{
    return (p->n * p->n + 1) * sizeof(float);
}

__global__ static void axxat_unified(size_t n, const float *a, const float *x, float *y)
{
    both_sums(n, blockIdx.y * TILE, blockIdx.x * TILE, a, x, y);
}

static const char *refuse(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;
    const size_t needed = 3 * bytes_of(p);
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
    const struct axxat *p = (const struct axxat *)problem;

    if (reads_ordinary_memory)
        return;
    CUDA(cudaMallocManaged(&m_a, bytes_of(p)));
    CUDA(cudaMallocManaged(&m_x, bytes_of(p)));
    CUDA(cudaMallocManaged(&m_y, bytes_of(p)));
}

/* Puts A and X in host memory: a page that the host writes moves there. */
static void reset(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;

    if (reads_ordinary_memory)
        return;
    memcpy(m_a, p->a, p->n * p->n * sizeof(float));
    memcpy(m_x, p->x, p->n * p->n * sizeof(float));
}

static void multiply(size_t n, const float *a, const float *x, float *y)
{
    const unsigned tiles = tiles_in(n);

    if (tiles == 0)
        return;
    axxat_unified<<<dim3(tiles, tiles), dim3(TILE, STEP)>>>(n, a, x, y);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize()); /* before the host reads what the kernel has written */
}

static void run(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;

    if (reads_ordinary_memory) {
        multiply(p->n, p->a, p->x, p->y);
        return;
    }
    multiply(p->n, m_a, m_x, m_y);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++)
        memcpy(p->y + i * p->n, m_y + i * p->n, p->n * sizeof(float));
}

static void release(void)
{
    CUDA(cudaFree(m_a)); /* NULL where nothing was allocated: cudaFree then does nothing */
    CUDA(cudaFree(m_x));
    CUDA(cudaFree(m_y));
    m_a = m_x = m_y = NULL;
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
