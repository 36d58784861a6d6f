/*
 * map / cuda_graph
 *
 * Idea     The same kernels in one launch: prepare records them as a graph.
 * Against  cuda_unfused: three or four launches.
 * Expect   At small sizes one launch and some 0.5 us per further kernel, in place of 1.3 us each.  At large sizes nothing: the arrays
 *          in between are still written and read.
 * Try      --size n=1e4,f=reldiff --size R: where does it gain, and where does only fusing?
 * Level    2
 * Read     cuda_functions.h, cuda_steps.h, cuda_buffers.h
 */
#include "cuda_steps.h"

static cudaStream_t stream;
static cudaGraphExec_t ready; /* NULL: nothing to do */

/* Work that is given to a capturing stream is not done, but becomes part of the graph. */
static void prepare_graph(const void *problem)
{
    const struct map *p = (const struct map *)problem;
    cudaGraph_t graph;

    prepare_steps(problem);
    CUDA(cudaStreamCreate(&stream));
    ready = NULL;
    if (p->n == 0)
        return;
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    give_steps(p, stream);
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphInstantiate(&ready, graph, 0));
    CUDA(cudaGraphDestroy(graph)); /* the recording; `ready` is independent of it */
}

static void run(const void *problem)
{
    (void)problem;
    if (ready != NULL)
        CUDA(cudaGraphLaunch(ready, stream));
}

static void release_graph(void)
{
    if (ready != NULL)
        CUDA(cudaGraphExecDestroy(ready));
    CUDA(cudaStreamDestroy(stream));
    release_steps();
}

VARIANT(.idea = "the kernels of all operations in one launch: a graph",
        .base = "cuda_unfused",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_graph,
        .upload = upload_steps,
        .run = run,
        .download = download,
        .release = release_graph)
