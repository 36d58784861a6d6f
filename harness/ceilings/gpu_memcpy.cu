/* A copy within the GPU's memory by the runtime's own kernel. */
#include "gpu.h"

static const double CALL = 0x1p33; /* bytes that a call moves */

static char *d_from, *d_to;

static void prepare(const void *problem)
{
    const struct ceiling_case *p = (const struct ceiling_case *)problem;

    CUDA(cudaMalloc(&d_from, p->bytes / 2));
    CUDA(cudaMalloc(&d_to, p->bytes / 2));
    CUDA(cudaMemset(d_from, 0x3e, p->bytes / 2));
}

static void run(const void *problem)
{
    const struct ceiling_case *p = (const struct ceiling_case *)problem;
    const int sweeps = (int)(CALL / (double)p->bytes);

    for (int i = 0; i < sweeps; i++)
        CUDA(cudaMemcpyAsync(d_to, d_from, p->bytes / 2, cudaMemcpyDeviceToDevice, 0));
    report(problem, sweeps * (double)p->bytes);
}

static void release(void)
{
    CUDA(cudaFree(d_from));
    CUDA(cudaFree(d_to));
}

CEILING(RESOURCE_MEMORY, .idea = "cudaMemcpy on the device", .device = &device_gpu,
        .refuse = no_room, .prepare = prepare, .run = run, .release = release)
