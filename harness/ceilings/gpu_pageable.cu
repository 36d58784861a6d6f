/* Over the bus from and to ordinary memory, which the driver copies in pieces through buffers of its
   own. */
#include "gpu.h"

static const size_t BYTES = (size_t)1 << 27;

static char *host, *d_array;

static void prepare(const void *problem)
{
    (void)problem; /* it has no size */
    host = (char *)malloc(BYTES);
    memset(host, 1, BYTES);
    CUDA(cudaMalloc(&d_array, BYTES));
}

static void upload(const void *problem)
{
    (void)problem;
    CUDA(cudaMemcpy(d_array, host, BYTES, cudaMemcpyHostToDevice));
}

static void run(const void *problem)
{
    report(problem, (double)BYTES);
}

static void download(const void *problem)
{
    (void)problem;
    CUDA(cudaMemcpy(host, d_array, BYTES, cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_array));
    free(host);
}

CEILING(RESOURCE_UPLOAD, .idea = "from and to pageable memory", .device = &device_gpu,
        .prepare = prepare, .upload = upload, .run = run, .download = download, .release = release)
