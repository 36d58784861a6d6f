/* Over the bus as managed memory that is sent ahead. */
#include "gpu.h"

static const size_t BYTES = (size_t)1 << 27;

static char *m_array;

#if CUDART_VERSION >= 13000 /* places are structs there, and a prefetch has flags */
#define TO_DEVICE {cudaMemLocationTypeDevice, 0}, 0
#define TO_HOST {cudaMemLocationTypeHost, 0}, 0
#else
#define TO_DEVICE 0
#define TO_HOST cudaCpuDeviceId
#endif

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

static void upload(const void *problem)
{
    (void)problem;
    CUDA(cudaMemPrefetchAsync(m_array, BYTES, TO_DEVICE, 0));
}

static void run(const void *problem)
{
    report(problem, (double)BYTES);
}

static void download(const void *problem)
{
    (void)problem;
    CUDA(cudaMemPrefetchAsync(m_array, BYTES, TO_HOST, 0));
}

static void release(void)
{
    CUDA(cudaFree(m_array));
}

CEILING(RESOURCE_UPLOAD, .idea = "as managed memory, sent ahead", .device = &device_gpu,
        .refuse = refuse, .prepare = prepare, .upload = upload, .run = run, .download = download,
        .release = release)
