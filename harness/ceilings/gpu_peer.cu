/* From one GPU's memory to another's, without the host. */
#include "gpu.h"

static const size_t BYTES = (size_t)1 << 28;
enum { COPIES = 8 };

static char *d_here, *d_there; /* on GPU 0 and on GPU 1 */

static const char *refuse(const void *problem)
{
    int gpus, reaches;

    (void)problem; /* it has no size */
    CUDA(cudaGetDeviceCount(&gpus));
    if (gpus < 2)
        return "there is one GPU";
    CUDA(cudaDeviceCanAccessPeer(&reaches, 0, 1));
    return reaches ? NULL : "GPU 0 cannot reach the memory of GPU 1";
}

static void prepare(const void *problem)
{
    (void)problem;
    CUDA(cudaDeviceEnablePeerAccess(1, 0));
    CUDA(cudaMalloc(&d_here, BYTES));
    CUDA(cudaMemset(d_here, 1, BYTES));
    CUDA(cudaSetDevice(1));
    CUDA(cudaMalloc(&d_there, BYTES));
    CUDA(cudaSetDevice(0));
}

static void run(const void *problem)
{
    for (int i = 0; i < COPIES; i++)
        CUDA(cudaMemcpyPeerAsync(d_there, 1, d_here, 0, BYTES, 0));
    report(problem, (double)COPIES * BYTES);
}

static void release(void)
{
    CUDA(cudaFree(d_here));
    CUDA(cudaSetDevice(1));
    CUDA(cudaFree(d_there));
    CUDA(cudaSetDevice(0));
    CUDA(cudaDeviceDisablePeerAccess(1));
}

CEILING(RESOURCE_PEER, .idea = "from GPU 0 to GPU 1", .device = &device_gpu, .refuse = refuse,
        .prepare = prepare, .run = run, .release = release)
