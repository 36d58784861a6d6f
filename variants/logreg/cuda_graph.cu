/*
 * logreg / cuda_graph
 *
 * Idea     Evaluation, step and test are kernels of a graph with a loop: a conditional node repeats its body while the step
 *          says so.  A run is one launch, and no word goes to the host before the end.
 * Against  cuda_warp, whose host takes the steps.
 * Expect   Some 15 us an evaluation saved, which is most of the time at S and M and little at L.  The step itself is slower
 *          than on the host: one warp, whose sums wait for shuffles.
 * Try      A body of two evaluations and two steps: what does the test of the condition cost?
 * Level    3
 * Read     cuda_buffers.h, cuda_lanes.h, cuda_loop.h, cuda_rows.h, cuda_step.h, lbfgs.h, solve.h, trace.h
 */
#include <cooperative_groups.h>

#include "cuda_loop.h" /* prepare_loop, upload_loop, download_loop, release_loop */
#include "cuda_step.h" /* start_method, take_step */

#if CUDART_VERSION >= 12040 /* conditional nodes; since CUDA 13 an edge has data */
static cudaGraphExec_t loop;

__global__ static void __launch_bounds__(STEP_ACROSS *STEP_DOWN)
    step(size_t m, size_t n, unsigned parts, const double *of_block, struct method *by, cudaGraphConditionalHandle again)
{
    const cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
    const int more = take_step(m, n, parts, of_block, by);

    if (block.thread_rank() == 0)
        cudaGraphSetConditional(again, (unsigned)more);
}

static cudaGraphNode_t add_loop(cudaGraph_t graph, cudaGraphNode_t after, cudaGraphConditionalHandle again, cudaGraph_t *body)
{
    cudaGraphNodeParams parameters = {};
    cudaGraphNode_t node;

    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = again;
    parameters.conditional.type = cudaGraphCondTypeWhile;
    parameters.conditional.size = 1;
#if CUDART_VERSION >= 13000
    CUDA(cudaGraphAddNode(&node, graph, &after, NULL, 1, &parameters));
#else
    CUDA(cudaGraphAddNode(&node, graph, &after, 1, &parameters));
#endif
    *body = parameters.conditional.phGraph_out[0];
    return node;
}

static void prepare_graph(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;
    cudaGraphConditionalHandle again;
    cudaGraphNode_t start;
    cudaGraph_t graph, body;
    cudaStream_t stream;

    prepare_loop(p);
    CUDA(cudaGraphCreate(&graph, 0));
    CUDA(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault)); /* 1 at each launch */
    size_t n = p->n;
    void *arguments[] = {&n, &d_method, &d_vectors};
    cudaKernelNodeParams first = {};
    first.func = (void *)start_method;
    first.gridDim = dim3(1);
    first.blockDim = dim3(32);
    first.kernelParams = arguments;
    CUDA(cudaGraphAddKernelNode(&start, graph, NULL, 0, &first));
    (void)add_loop(graph, start, again, &body);
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaStreamBeginCaptureToGraph(stream, body, NULL, NULL, 0, cudaStreamCaptureModeThreadLocal));
    const unsigned blocks = loop_blocks(p);
    launch_rows(blocks, stream, p->m, p->n, d_x, d_y, (const float *)d_vectors, d_parts);
    step<<<1, dim3(STEP_ACROSS, STEP_DOWN), 0, stream>>>(p->m, p->n, blocks, d_parts, d_method, again);
    CUDA(cudaGetLastError());
    CUDA(cudaStreamEndCapture(stream, NULL));
    CUDA(cudaGraphInstantiate(&loop, graph, 0));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaStreamDestroy(stream));
}

static void run_graph(const void *problem)
{
    (void)problem;
    CUDA(cudaGraphLaunch(loop, 0));
}

static void release_graph(void)
{
    CUDA(cudaGraphExecDestroy(loop));
    release_loop();
}
#else
static void prepare_graph(const void *problem)
{
    prepare_loop((const struct logreg *)problem);
}

static void run_graph(const void *problem)
{
    (void)problem;
}

static void release_graph(void)
{
    release_loop();
}
#endif

static const char *refuse(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    if (CUDART_VERSION < 12040)
        return "needs CUDA 12.4 for a graph's conditional nodes";
    return p->n > MOST_FEATURES ? too_many_features : NULL;
}

VARIANT(.idea = "the whole method is a graph with a loop: one launch",
        .base = "cuda_warp",
        .device = &device_gpu,
        .refuse = refuse,
        .prepare = prepare_graph,
        .upload = upload_loop,
        .run = run_graph,
        .download = download_loop,
        .release = release_graph,
        .evaluations = evaluations)
