/* For ceilings that move managed memory: BYTES of it, which the including file defines, on the host at
   first. */
#include "gpu.h"

static char *m_array;

static const char *refuse(const void *problem)
{
    int together;

    (void)problem; /* it has no size */
    CUDA(cudaDeviceGetAttribute(&together, cudaDevAttrConcurrentManagedAccess, 0));
    return together ? NULL : "the device cannot share managed memory while it works";
}

static void prepare(const void *problem)
{
    (void)problem;
    CUDA(cudaMallocManaged(&m_array, BYTES));
    memset(m_array, 1, BYTES);
}

static void release(void)
{
    CUDA(cudaFree(m_array));
}
