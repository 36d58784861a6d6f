/* Over the bus from and to pinned memory, by the copy engines. */
#include "gpu.h"

static const size_t BYTES = (size_t)1 << 28;

static char *host, *d_array;

static void prepare(const void *problem)
{
    (void)problem; /* it has no size */
    CUDA(cudaMallocHost(&host, BYTES));
    memset(host, 1, BYTES);
    CUDA(cudaMalloc(&d_array, BYTES));
}

static void upload(const void *problem)
{
    (void)problem;
    CUDA(cudaMemcpyAsync(d_array, host, BYTES, cudaMemcpyHostToDevice, 0));
}

static void run(const void *problem)
{
    report(problem, (double)BYTES);
}

static void download(const void *problem)
{
    (void)problem;
    CUDA(cudaMemcpyAsync(host, d_array, BYTES, cudaMemcpyDeviceToHost, 0));
}

static void release(void)
{
    CUDA(cudaFree(d_array));
    CUDA(cudaFreeHost(host));
}

CEILING(RESOURCE_UPLOAD, .idea = "from and to pinned memory", .device = &device_gpu,
        .prepare = prepare, .upload = upload, .run = run, .download = download, .release = release)
