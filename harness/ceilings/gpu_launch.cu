/* Kernels that do nothing, one behind the other.  They wait in a row when the first one begins, as the
   runs of a variant do (harness/worker/sample.c): the host is not in it. */
#include "gpu.h"

__global__ static void nothing(void)
{
}

/* A variant that has an upload has its run timed by itself. */
static void upload(const void *problem)
{
    (void)problem;
}

static void run(const void *problem)
{
    nothing<<<1, 32>>>();
    CUDA(cudaGetLastError());
    report(problem, 1);
}

CEILING(RESOURCE_LAUNCH, .idea = "empty kernels, one behind the other", .device = &device_gpu,
        .upload = upload, .run = run)
