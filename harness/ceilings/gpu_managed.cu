/* Over the bus as managed memory, prefetched. */
#define BYTES ((size_t)1 << 27)
#include "gpu_managed.h"    /* refuse, prepare, release; m_array */

#if CUDART_VERSION >= 13000 /* there, locations are structs and a prefetch has flags */
#define TO_DEVICE {cudaMemLocationTypeDevice, 0}, 0
#define TO_HOST {cudaMemLocationTypeHost, 0}, 0
#else
#define TO_DEVICE 0
#define TO_HOST cudaCpuDeviceId
#endif

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

CEILING(RESOURCE_UPLOAD, .idea = "as managed memory, sent ahead", .device = &device_gpu,
        .refuse = refuse, .prepare = prepare, .upload = upload, .run = run, .download = download,
        .release = release)
