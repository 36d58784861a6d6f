/* Empty kernels, one after another.  They are queued when the first one begins, as the runs of a
   variant are (harness/worker/sample.c), so the host does not count. */
#include "gpu.h"

__global__ static void nothing(void)
{
}

/* With an upload, the run is timed by itself. */
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
