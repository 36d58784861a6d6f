/* map: managed arrays, as the variants cuda_managed and cuda_unified have them, and their way from and to the problem's. */
#ifndef RUNGS_MAP_CUDA_SHARED_PAGES_H
#define RUNGS_MAP_CUDA_SHARED_PAGES_H

#include <string.h>

#include "cuda_functions.h"

static void *m_x, *m_y, *m_z; /* valid on both sides; m_y: NULL where the function has one argument */

/* Returns why managed memory does not suffice, or NULL. */
static inline const char *pages_missing(const struct map *p)
{
    static char reason[128];
    const struct arrays host = arrays_of(p);
    const double wanted = (host.y != NULL ? 3.0 : 2.0) * (double)p->n * (double)host.element;
    size_t available, all;

    CUDA(cudaMemGetInfo(&available, &all));
    if (wanted <= (double)available || getenv("RUNGS_OVERSUBSCRIBE") != NULL)
        return NULL;
    snprintf(reason, sizeof reason, "needs %.1f GiB of managed memory, the device has %.1f free; see --oversubscribe",
             wanted / (1 << 30), (double)available / (1 << 30));
    return reason;
}

static inline void pages_allocate(const struct map *p)
{
    const struct arrays host = arrays_of(p);
    const size_t bytes = (p->n + 1) * host.element; /* one more: an allocation of 0 bytes fails */

    m_y = NULL;
    CUDA(cudaMallocManaged(&m_x, bytes));
    if (host.y != NULL)
        CUDA(cudaMallocManaged(&m_y, bytes));
    CUDA(cudaMallocManaged(&m_z, bytes));
}

static inline void pages_free(void)
{
    CUDA(cudaFree(m_x));
    CUDA(cudaFree(m_y));
    CUDA(cudaFree(m_z));
}

static inline void copy_by_all_cores(void *to, const void *from, size_t bytes)
{
    enum { PART = 1 << 16 };

#pragma omp parallel for schedule(static)
    for (size_t at = 0; at < bytes; at += PART)
        memcpy((char *)to + at, (const char *)from + at, bytes - at < PART ? bytes - at : (size_t)PART);
}

/* Puts the inputs in host memory: a page that the host writes moves there. */
static inline void pages_fill(const struct map *p)
{
    const struct arrays host = arrays_of(p);

    copy_by_all_cores(m_x, host.x, p->n * host.element);
    if (host.y != NULL)
        copy_by_all_cores(m_y, host.y, p->n * host.element);
}

static inline void pages_answer(const struct map *p)
{
    const struct arrays host = arrays_of(p);

    copy_by_all_cores(host.z, m_z, p->n * host.element);
}

#endif
