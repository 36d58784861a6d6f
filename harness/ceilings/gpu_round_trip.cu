/* An empty kernel, launched and waited for. */
#include "gpu.h"

__global__ static void nothing(void)
{
}

static void run(const void *problem)
{
    nothing<<<1, 32>>>();
    CUDA(cudaGetLastError());
    report(problem, 1.0); /* the worker waits after each call */
}

CEILING(RESOURCE_ROUND_TRIP, .idea = "an empty kernel, launched and waited for",
        .device = &device_gpu, .run = run)
