/*
 * cg / cuda_graph
 *
 * Idea     The loop itself is on the device: a graph whose body is an iteration, and a WHILE node that repeats it until the
 *          last kernel of the body says that it is enough.  One launch; the host looks at nothing.
 * Against  cuda_fused, which waits for the host at every `every`-th iteration, and does up to every - 1 for nothing.
 * Expect   Nodes of a graph follow each other faster than launches, and there is no round trip of 8 us.  At n = 512 most of
 *          the time is saved, at 16384 nothing.
 * Try      --every 1, 10 and 100 with cuda_fused: which comes nearest?
 * Level    3
 * Read     cuda_buffers.h, cuda_rows.h, cuda_steps.h, cuda_while.h
 */
#include "common/variant.h"
#include "cuda_rows.h"  /* cg_multiply, cg_advance, turn, most_iterations; prepare, upload, download, release */
#include "cuda_while.h" /* while_begin, while_end */

/* cg_turn, which also says whether there is another iteration. */
__global__ static void cg_turn_and_decide(size_t n, const float *r, float *p, float *q, struct state *state,
                                          const double *parts, size_t count, size_t most,
                                          cudaGraphConditionalHandle again)
{
    bool enough = true;

    if (!state->done)
        enough = turn(n, r, p, q, state, parts, count) <= state->enough;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        cudaGraphSetConditional(again, !enough && state->iterations < most);
}

static cudaGraphExec_t solver; /* NULL: nothing to do */
static float *tol;             /* pinned: a graph has its arguments from prepare on, and the tolerance is known in run */

/* As cg_begin, with the tolerance from host memory. */
__global__ static void cg_begin_at(size_t n, const float *tol, const float *b, float *x, float *r, float *p, float *q,
                                   struct state *state)
{
    double mine = 0;

    for (size_t i = threadIdx.x; i < n; i += blockDim.x) {
        x[i] = q[i] = 0;
        r[i] = p[i] = b[i];
        mine += (double)b[i] * b[i];
    }
    const double bb = block_sum(mine);
    if (threadIdx.x == 0)
        *state = {bb, bb, (double)*tol * *tol * bb, 0, 0};
}

static void prepare_graph(const void *problem)
{
    const size_t n = ((const struct cg *)problem)->n;
    const unsigned rows = blocks_for(n, BLOCK_ROWS), blocks = blocks_for(n, THREADS);
    double *rr;
    struct while_graph graph;

    prepare(problem);
    CUDA(cudaMallocHost(&tol, sizeof *tol));
    solver = NULL;
    if (n == 0)
        return;
    rr = d_parts + n + 1;
    while_open(&graph);
    cg_begin_at<<<1, 1024, 0, graph.stream>>>(n, tol, d_b, d_x, d_r, d_p, d_q, d_state);
    while_begin(&graph);
    cg_multiply<<<rows, THREADS, 0, graph.stream>>>(n, d_a, d_p, d_q, d_state, d_parts);
    cg_advance<<<blocks, THREADS, 0, graph.stream>>>(n, d_p, d_q, d_x, d_r, d_state, d_parts, rows, rr);
    cg_turn_and_decide<<<blocks, THREADS, 0, graph.stream>>>(n, d_r, d_p, d_q, d_state, rr, blocks, most_iterations(n),
                                                            graph.again);
    solver = while_end(&graph);
}

static void run(const void *problem)
{
    *tol = ((const struct cg *)problem)->tol;
    if (solver != NULL)
        CUDA(cudaGraphLaunch(solver, 0));
}

static void release_graph(void)
{
    if (solver != NULL)
        CUDA(cudaGraphExecDestroy(solver));
    CUDA(cudaFreeHost(tol));
    release();
}

VARIANT(.idea = "the loop in a graph: a WHILE node, one launch",
        .base = "cuda_fused",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = while_missing,
        .prepare = prepare_graph,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_graph)
