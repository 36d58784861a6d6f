/* Empty kernels, as nodes of a graph, each after the one before. */
#include "gpu.h"

enum { NODES = 1000 };

static cudaStream_t stream;
static cudaGraphExec_t ready;

__global__ static void nothing(void)
{
}

static void prepare(const void *problem)
{
    cudaGraph_t graph;

    (void)problem; /* it has no size */
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < NODES; i++)
        nothing<<<1, 32, 0, stream>>>();
    CUDA(cudaGetLastError());
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphInstantiate(&ready, graph, 0));
    CUDA(cudaGraphDestroy(graph));
}

static void run(const void *problem)
{
    CUDA(cudaGraphLaunch(ready, stream));
    report(problem, NODES);
}

static void release(void)
{
    CUDA(cudaGraphExecDestroy(ready));
    CUDA(cudaStreamDestroy(stream));
}

CEILING(RESOURCE_NODE, .idea = "empty kernels, as nodes of a graph", .device = &device_gpu,
        .prepare = prepare, .run = run, .release = release)
