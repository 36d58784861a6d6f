/* Kernels that do nothing, launched one after the other. */
#include "gpu.h"

enum { LAUNCHES = 1000 };

__global__ static void nothing(void)
{
}

static void run(const void *problem)
{
    for (int i = 0; i < LAUNCHES; i++)
        nothing<<<1, 32>>>();
    CUDA(cudaGetLastError());
    report(problem, LAUNCHES);
}

CEILING(RESOURCE_LAUNCH, .idea = "empty kernels, one after the other", .device = &device_gpu,
        .run = run)
