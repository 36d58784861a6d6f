/* Over the bus as managed memory that nobody sends: pages move when they are touched. */
#include "gpu.h"

static const size_t BYTES = (size_t)1 << 26;
enum { PAGE = 4096 };

static char *m_array;

__global__ static void touch_all(size_t n, int *array)
{
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        array[i] += 1;
}

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
    touch_all<<<resident_blocks((const void *)touch_all), THREADS>>>(BYTES / sizeof(int),
                                                                    (int *)m_array);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
}

static void run(const void *problem)
{
    report(problem, (double)BYTES);
}

static void download(const void *problem)
{
    volatile char *page = m_array;

    (void)problem;
    for (size_t i = 0; i < BYTES; i += PAGE)
        page[i] = (char)i;
}

static void release(void)
{
    CUDA(cudaFree(m_array));
}

CEILING(RESOURCE_UPLOAD, .idea = "as managed memory, page by page when touched",
        .device = &device_gpu, .refuse = refuse, .prepare = prepare, .upload = upload, .run = run,
        .download = download, .release = release)
