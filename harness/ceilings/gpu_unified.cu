/* Over the bus as managed memory without prefetch: pages move when they are touched. */
#define BYTES ((size_t)1 << 26)
#include "gpu_managed.h"    /* refuse, prepare, release; m_array */

enum { PAGE = 4096 };

__global__ static void touch_all(size_t n, int *array)
{
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        array[i] += 1;
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

CEILING(RESOURCE_UPLOAD, .idea = "as managed memory, page by page when touched",
        .device = &device_gpu, .refuse = refuse, .prepare = prepare, .upload = upload, .run = run,
        .download = download, .release = release)
