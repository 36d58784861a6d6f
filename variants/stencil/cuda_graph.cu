/*
 * stencil / cuda_graph
 *
 * Idea     Many sweeps in one launch: prepare records their kernels as a graph, and run launches
 *          it.  The device then starts each kernel as soon as the one before has ended, without the
 *          host.
 * Against  cuda_naive: one launch per sweep, with the same kernel.
 * Expect   Nothing for one sweep, and nothing where a sweep takes longer than a launch.  Many
 *          sweeps of a small image are mostly launches: 2 us per sweep instead of 3 (512 x 512,
 *          1000 sweeps, H200, 2026-11).
 * Try      512 x 512 with sweeps = 1, 10, 1000; then 4096 x 4096.
 * Level    2
 * Read     cuda_kernel.h
 */
#include "common/cuda.h"
#include "common/stencil.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* smooth, blocks_for */

enum { REPEATED = 64 }; /* sweeps of the graph that is launched again and again; even */

static void *d_in, *d_out, *d_scratch;
static cudaStream_t stream;
static cudaGraphExec_t start;  /* the first sweeps, from d_in to d_out; NULL: nothing to do */
static cudaGraphExec_t repeat; /* REPEATED more, from d_out to d_out; NULL: not that many */

template <class pixel>
__global__ static void stencil_graph(size_t rows, size_t cols, const pixel *in, pixel *out)
{
    smooth(rows, cols, in, out);
}

static size_t image_bytes(const struct stencil *p)
{
    return p->rows * p->cols * (p->bytes ? sizeof(uint8_t) : sizeof(float));
}

/* Records sweeps as a graph: work that is given to a capturing stream is not done, but becomes part of the graph. */
static cudaGraphExec_t record(const struct stencil *p, const void *from, size_t sweeps)
{
    dim3 block(32, 8), grid = blocks_for(p->rows, p->cols);
    cudaGraph_t graph;
    cudaGraphExec_t ready;

    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    if (sweeps == 0)
        CUDA(cudaMemcpyAsync(d_out, from, image_bytes(p), cudaMemcpyDeviceToDevice, stream));
    for (size_t left = sweeps; left > 0; left--) {
        void *to = left % 2 == 1 ? d_out : d_scratch;

        if (p->bytes)
            stencil_graph<<<grid, block, 0, stream>>>(p->rows, p->cols, (const uint8_t *)from,
                                                      (uint8_t *)to);
        else
            stencil_graph<<<grid, block, 0, stream>>>(p->rows, p->cols, (const float *)from,
                                                      (float *)to);
        CUDA(cudaGetLastError());
        from = to;
    }
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphInstantiate(&ready, graph, 0));
    CUDA(cudaGraphDestroy(graph)); /* the recording; `ready` is independent of it */
    return ready;
}

static void prepare(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    CUDA(cudaMalloc(&d_in, image_bytes(p)));
    CUDA(cudaMalloc(&d_out, image_bytes(p)));
    CUDA(cudaMalloc(&d_scratch, p->sweeps > 1 ? image_bytes(p) : 0));
    CUDA(cudaStreamCreate(&stream));
    start = repeat = NULL;
    if (image_bytes(p) == 0)
        return;
    start = record(p, d_in, p->sweeps > REPEATED ? p->sweeps % REPEATED + REPEATED : p->sweeps);
    if (p->sweeps >= 2 * REPEATED)
        repeat = record(p, d_out, REPEATED);
}

static void upload(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    const void *in = p->bytes ? (const void *)p->in8 : p->in;

    CUDA(cudaMemcpy(d_in, in, image_bytes(p), cudaMemcpyHostToDevice));
}

static void run(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    if (start != NULL)
        CUDA(cudaGraphLaunch(start, stream));
    for (size_t i = 1; repeat != NULL && i < p->sweeps / REPEATED; i++)
        CUDA(cudaGraphLaunch(repeat, stream));
}

static void download(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    void *out = p->bytes ? (void *)p->out8 : p->out;

    CUDA(cudaMemcpy(out, d_out, image_bytes(p), cudaMemcpyDeviceToHost));
}

static void release(void)
{
    if (start != NULL)
        CUDA(cudaGraphExecDestroy(start));
    if (repeat != NULL)
        CUDA(cudaGraphExecDestroy(repeat));
    CUDA(cudaStreamDestroy(stream));
    CUDA(cudaFree(d_in));
    CUDA(cudaFree(d_out));
    CUDA(cudaFree(d_scratch));
}

VARIANT(.idea = "all sweeps in one launch: a graph",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
