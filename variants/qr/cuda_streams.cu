/*
 * qr / cuda_streams
 *
 * Idea     Copy and compute at the same time.  Rows come in chunks of whole panels, and a chunk's panels get their QR while the
 *          next chunk is on the bus.  When the levels above are done, each chunk of Q goes back while the next one is made.  A and
 *          Q are page-locked, so that the copy engines need no help from the host.
 * Against  cuda_shared, the same kernels, which start when all of A is there.
 * Expect   Compare end to end: all of it is in `run`.  The bus's time for A, and then for Q: the two directions cannot overlap,
 *          because no row of Q is known before the last row of A has come.  A level's kernels hide behind them.
 * Try      CHUNK_BYTES of 1 << 20 and 1 << 28.
 * Level    3
 * Read     cuda_buffers.h, cuda_panel.h, cuda_tree.h
 *
 *     bus       A0   A1   A2                Q0   Q1   Q2
 *     kernels        up0  up1  up2 tree down0 down1 down2
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, release; d_a, d_q, d_r */
#include "cuda_tree.h"    /* tree_refuse, tree_prepare, tree_up_some and the other parts of tree_run, tree_release */

enum { CHUNK_BYTES = 16 << 20 /* long enough for the bus's full rate */, STREAMS = 2 };

static cudaStream_t streams[STREAMS];
static void *locked[2]; /* A and Q; NULL: empty, or not lockable */
static struct tree tree;

static void *lock(const float *matrix, size_t numbers, unsigned flags)
{
    if (numbers > 0 && cudaHostRegister((void *)matrix, numbers * sizeof(float), flags) == cudaSuccess)
        return (void *)matrix;
    (void)cudaGetLastError(); /* clears the error: no later check must report it */
    return NULL;              /* copies still work, but do not overlap */
}

static void prepare_streams(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    prepare(problem);
    tree_prepare(&tree, p->m, p->n);
    locked[0] = lock(p->a, p->m * p->n, cudaHostRegisterReadOnly); /* the input is read-only */
    locked[1] = lock(p->q, p->m * p->n, cudaHostRegisterDefault);
    for (cudaStream_t &stream : streams)
        CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
}

/* Calls work(p, first panel, panels, first number, numbers, stream) for each chunk; streams take turns. */
template <class Work>
static void for_each_chunk(const struct qr *p, Work work)
{
    const struct panels l = {tree.level[0].rows, tree.level[0].panels, 0, tree.n, 0};
    const size_t each = CHUNK_BYTES / (tree.tall * p->n * sizeof(float)) + 1;
    int turn_of = 0;

    for (size_t first = 0; first < l.panels; first += each, turn_of = (turn_of + 1) % STREAMS) {
        const size_t count = l.panels - first < each ? l.panels - first : each;
        const size_t begin = first_row(l, first) * p->n, end = first_row(l, first + count) * p->n;
        work(first, count, begin, end - begin, streams[turn_of]);
    }
}

static void wait_for_all(void)
{
    for (cudaStream_t stream : streams)
        CUDA(cudaStreamSynchronize(stream));
}

static void run(const void *problem)
{
    const struct qr *p = (const struct qr *)problem;

    if (p->n == 0)
        return;
    for_each_chunk(p, [=](size_t first, size_t count, size_t at, size_t numbers, cudaStream_t stream) {
        CUDA(cudaMemcpyAsync(d_a + at, p->a + at, numbers * sizeof(float), cudaMemcpyHostToDevice, stream));
        tree_up_some(&tree, first, count, d_a, d_q, stream);
    });
    wait_for_all();
    tree_up_rest(&tree, streams[0]);
    tree_turn(&tree, d_r, streams[0]);
    tree_down_rest(&tree, streams[0]);
    CUDA(cudaMemcpyAsync(p->r, d_r, p->n * p->n * sizeof(float), cudaMemcpyDeviceToHost, streams[0]));
    wait_for_all();
    for_each_chunk(p, [=](size_t first, size_t count, size_t at, size_t numbers, cudaStream_t stream) {
        tree_down_some(&tree, first, count, d_q, stream);
        CUDA(cudaMemcpyAsync(p->q + at, d_q + at, numbers * sizeof(float), cudaMemcpyDeviceToHost, stream));
    });
    wait_for_all();
}

static void release_streams(void)
{
    for (cudaStream_t stream : streams)
        CUDA(cudaStreamDestroy(stream));
    for (void *matrix : locked)
        if (matrix != NULL)
            CUDA(cudaHostUnregister(matrix));
    tree_release(&tree);
    release();
}

VARIANT(.idea = "panels as their rows arrive, Q back in chunks",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = tree_refuse,
        .prepare = prepare_streams,
        .run = run,
        .release = release_streams)
