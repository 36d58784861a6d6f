/*
 * fft / cuda_staged
 *
 * Idea     The rate of page-locked memory, from memory that is not.  Host threads copy pieces of the
 *          signals into small page-locked buffers and pieces of the answer out of them, while the
 *          bus carries other pieces in both directions.  A group of signals has many pieces, which
 *          several threads send.  The thread that queues the last of them queues its passes, too.
 * Against  cuda_streams, which page-locks the arrays themselves.  Here only the buffers are locked,
 *          so the user's arrays may be used once.
 * Expect   End to end: the rate of cuda_streams, if the cores copy faster than the bus.  One long
 *          signal goes up, is transformed and comes down; nothing overlaps, but both ways have the
 *          bus's rate.
 * Try      LAG = 0: what are the threads waiting for?  PIECE = 2^20 numbers: the buffers leave the
 *          caches, and the first piece takes as long as four did.
 * Level    3
 * Read     cuda_pass.h
 */
#include <atomic>
#include <sched.h>

#include "common/fft.h"
#include "common/staging.h" /* stage_open, stage_run, stage_close, stage_stream */
#include "common/variant.h"
#include "cuda_pass.h" /* root; butterfly, next_radix, count_passes, refuse_prime */

static const int threads = 256;

enum {
    PIECE = 1 << 18, /* numbers: 2 MiB */
    GROUP = 1 << 20  /* numbers at least, transformed together */
};

/* Signals that are transformed together.  Each piece of them has an event. */
struct group {
    std::atomic<size_t> missing; /* pieces that no thread has queued yet */
    std::atomic<bool> queued;    /* are the passes, too? */
    cudaEvent_t ready;           /* the passes have ended */
};

static float2 *d_w, *d_x, *d_X, *d_work; /* roots of unity; all signals */
static cudaStream_t work;
static group *groups;
static cudaEvent_t *arrived; /* [pieces] */
static size_t signals, count, each, pieces; /* in a group; groups; pieces of a group; of all */

__global__ static void fft_staged(size_t count, int r, size_t n, size_t s, const float2 *w,
                                  const float2 *in, float2 *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= count)
        return;

    size_t signal = i / (n / r), rest = i % (n / r), p = rest / s, q = rest % s;

    butterfly(r, n, w, p * s, in + signal * n + rest, n / r, out + signal * n + q + r * s * p, s);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    float2 *w = (float2 *)malloc(p->n * sizeof *w);
    const size_t bytes = p->batch * p->n * sizeof(float2);

    for (size_t k = 0; k < p->n; k++)
        w[k] = root(k, p->n);
    CUDA(cudaMalloc(&d_w, p->n * sizeof *d_w));
    CUDA(cudaMemcpy(d_w, w, p->n * sizeof *d_w, cudaMemcpyHostToDevice));
    free(w);
    CUDA(cudaMalloc(&d_x, bytes));
    CUDA(cudaMalloc(&d_X, bytes));
    CUDA(cudaMalloc(&d_work, bytes));
    CUDA(cudaStreamCreate(&work));

    signals = p->n < GROUP ? GROUP / p->n : 1;
    count = (p->batch + signals - 1) / signals;
    each = (least(signals, p->batch) * p->n + PIECE - 1) / PIECE;
    pieces = count * each;
    groups = new group[count];
    for (size_t g = 0; g < count; g++)
        CUDA(cudaEventCreateWithFlags(&groups[g].ready, cudaEventDisableTiming));
    arrived = (cudaEvent_t *)malloc(pieces * sizeof *arrived);
    for (size_t i = 0; i < pieces; i++)
        CUDA(cudaEventCreateWithFlags(&arrived[i], cudaEventDisableTiming));
    const size_t piece = least(p->batch * p->n, PIECE) * sizeof(float2);
    stage_open(piece, piece);
}

/* Queues the passes of group g, whose pieces have all been queued. */
static void transform(const struct fft *p, size_t g)
{
    const size_t first = g * signals * p->n, here = least(signals, p->batch - g * signals);
    const float2 *in = d_x + first;
    int left = count_passes(p->n);

    for (size_t i = g * each; i < (g + 1) * each; i++)
        CUDA(cudaStreamWaitEvent(work, arrived[i], 0));
    for (size_t step = 1; left > 0; left--) {
        int r = next_radix(p->n / step);
        size_t butterflies = here * (p->n / r), blocks = (butterflies + threads - 1) / threads;
        float2 *out = (left % 2 == 1 ? d_X : d_work) + first; /* the last pass writes to d_X */

        fft_staged<<<(unsigned)blocks, threads, 0, work>>>(butterflies, r, p->n, step, d_w, in,
                                                           out);
        CUDA(cudaGetLastError());
        step *= r;
        in = out;
    }
    CUDA(cudaEventRecord(groups[g].ready, work));
    groups[g].queued = true;
}

/* The numbers of a piece: `length` from `first` on.  The last group may have fewer pieces; then length is 0. */
struct span {
    size_t first, length;
};

static span span_of(const struct fft *p, size_t piece)
{
    const size_t group = piece / each, start = group * signals * p->n;
    const size_t end = least(start + signals * p->n, p->batch * p->n);
    const size_t first = least(start + piece % each * PIECE, end);

    return {first, least(end - first, PIECE)};
}

static void send_up(const struct fft *p, size_t piece, const struct stage *s)
{
    const span up = span_of(p, piece);
    group *g = &groups[piece / each];

    memcpy(s->up, p->x + up.first, up.length * sizeof(float2));
    CUDA(cudaMemcpyAsync(d_x + up.first, s->up, up.length * sizeof(float2), cudaMemcpyHostToDevice,
                         s->stream));
    CUDA(cudaEventRecord(arrived[piece], s->stream));
    if (--g->missing == 0)
        transform(p, piece / each);
}

/* An event means nothing before it is recorded: so wait for the thread that does it.  It has an earlier piece, so
   it does not wait for this thread. */
static void send_down(const struct fft *p, size_t piece, const struct stage *s)
{
    const span down = span_of(p, piece);
    group *g = &groups[piece / each];

    while (!g->queued)
        sched_yield();
    CUDA(cudaStreamWaitEvent(s->stream, g->ready, 0));
    CUDA(cudaMemcpyAsync(s->down, d_X + down.first, down.length * sizeof(float2),
                         cudaMemcpyDeviceToHost, s->stream));
}

static void run(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    /* Pieces that go up before the first comes down: a group, and what all threads have under way */
    const size_t lag = each + (size_t)stage_threads * STAGE_SLOTS;

    if (p->batch == 0)
        return;
    for (size_t g = 0; g < count; g++) {
        groups[g].missing = each;
        groups[g].queued = false;
    }
    auto send = [=](size_t i, const struct stage *s) {
        if (i < pieces)
            send_up(p, i, s);
        if (i >= lag)
            send_down(p, i - lag, s);
    };
    auto take = [=](size_t i, const struct stage *s) {
        if (i < lag)
            return;
        const span down = span_of(p, i - lag);
        stage_stream(p->X + down.first, s->down, down.length * sizeof(float2));
    };
    stage_run(pieces + lag, send, take);
}

static void release(void)
{
    stage_close();
    for (size_t i = 0; i < pieces; i++)
        CUDA(cudaEventDestroy(arrived[i]));
    for (size_t g = 0; g < count; g++)
        CUDA(cudaEventDestroy(groups[g].ready));
    free(arrived);
    delete[] groups;
    CUDA(cudaStreamDestroy(work));
    CUDA(cudaFree(d_w));
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_X));
    CUDA(cudaFree(d_work));
}

VARIANT(.idea = "ordinary memory: threads copy through small page-locked buffers",
        .base = "cuda_streams",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse_prime,
        .prepare = prepare,
        .run = run,
        .release = release)
