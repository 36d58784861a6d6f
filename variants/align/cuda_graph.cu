/*
 * align / cuda_graph
 *
 * Idea     The whole chain, with the library's kernels, recorded as one graph in prepare: a run is a single launch.
 * Against  cuda_cufft, whose kernels are launched one by one.
 * Expect   Images up to 1024 x 1024 gain the launches that the kernels do not hide.  Larger ones gain nothing.
 * Try      pairs = 1, rows and cols of 128, 1024 and 4096.
 * Level    2
 * Read     cuda_buffers.h, cuda_library.h, peak.h
 */
#include "common/variant.h"
#include "cuda_library.h" /* the chain */

static cudaGraphExec_t chain; /* NULL: no pairs */

static void prepare(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    cudaStream_t stream;
    cudaGraph_t recorded;

    library_prepare(problem);
    chain = NULL;
    if (p->pairs == 0)
        return;
    /* Launches between begin and end are recorded with their arguments, and not executed. */
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    library_run(p, stream);
    CUDA(cudaStreamEndCapture(stream, &recorded));
    CUDA(cudaGraphInstantiate(&chain, recorded, 0));
    CUDA(cudaGraphDestroy(recorded));
    CUDA(cudaStreamDestroy(stream));
}

static void run(const void *problem)
{
    (void)problem;
    if (chain != NULL)
        CUDA(cudaGraphLaunch(chain, 0));
}

static void release(void)
{
    if (chain != NULL)
        CUDA(cudaGraphExecDestroy(chain));
    library_release();
}

VARIANT(.idea = "the library's chain recorded as one graph",
        .base = "cuda_cufft",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse_library,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
