/*
 * axxat / cuda_graph
 *
 * Idea     Both products recorded as one graph in prepare: a run is a single launch.
 * Against  cuda_cublas, which launches the library's kernels one by one.
 * Expect   At n = 128 the two products are mostly launches, and the graph saves one.  At n = 4096 nothing.
 * Try      n = 64, 512, 4096.
 * Level    2
 * Read     cublas.h, cuda_buffers.h
 */
#include "common/variant.h"
#include "cublas.h" /* refuse_size, prepare_with_handle, multiply_twice, release_with_handle; cublas */

static cudaGraphExec_t both; /* NULL: nothing to do */
static void *workspace;

static void prepare_graph(const void *problem)
{
    enum { BYTES = 32 << 20 }; /* what the library would take on this generation of GPUs */
    const struct axxat *p = (const struct axxat *)problem;
    cudaStream_t stream;
    cudaGraph_t recorded;

    prepare_with_handle(problem);
    both = NULL;
    workspace = NULL;
    if (p->n == 0)
        return;
    /* A workspace of the library's own belongs to a stream, and would have to be allocated while it records. */
    CUDA(cudaMalloc(&workspace, BYTES));
    CUDA(cudaStreamCreate(&stream));
    CUBLAS(cublasSetStream(cublas, stream));
    CUBLAS(cublasSetWorkspace(cublas, workspace, BYTES));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    multiply_twice((int)p->n);
    CUDA(cudaStreamEndCapture(stream, &recorded));
    CUDA(cudaGraphInstantiate(&both, recorded, 0));
    CUDA(cudaGraphDestroy(recorded));
    CUBLAS(cublasSetStream(cublas, 0));
    CUDA(cudaStreamDestroy(stream));
}

static void run(const void *problem)
{
    (void)problem;
    if (both != NULL)
        CUDA(cudaGraphLaunch(both, 0));
}

static void release_graph(void)
{
    if (both != NULL)
        CUDA(cudaGraphExecDestroy(both));
    release_with_handle();
    CUDA(cudaFree(workspace));
}

VARIANT(.idea = "the library's two products recorded as one graph",
        .base = "cuda_cublas",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse_size,
        .prepare = prepare_graph,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_graph)
