/*
 * fft / cuda_chains
 *
 * Idea     What lies between columns and rows stays in the cache.  Long signals are done a few at a
 *          time, columns and then rows, always through the same buffer, which is written again
 *          before it has left the cache.  Several such chains run side by side, so that one fills
 *          the device when another's kernel ends.  All of it is one graph, and one launch.
 * Against  cuda_registers: the columns of all signals, and then the rows of all.
 * Expect   For a batch of long signals, two thirds of the traffic with memory, but only a few
 *          percent of the time.  The second-level cache carries as much as before, and is hardly
 *          faster than memory.  For one signal, or short ones, about the same as cuda_registers.
 * Try      CHAINS = 1: the last blocks of a kernel leave most of the device idle, and so do the
 *          first of the next.  Or ROOM = 128 MB: chains side by side, but through memory.
 * Level    3
 * Read     butterflies.h, cuda_buffers.h, cuda_pass.h, passes.h, registers.h, registers_host.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* d_x, d_X, upload, download */

/* Nothing to do: kernels of a chain run one after another. */
__device__ static void next_may_start(void) {}
__device__ static void previous_has_ended(void) {}

#include "registers.h"      /* the kernels: start here */
#include "registers_host.h" /* one, two, split, side; refuse_length, prepare_length, ... */

enum { CHAINS = 4 };
static const size_t ROOM = 32 << 20; /* bytes of all buffers: half of an H200's cache */

static cudaGraphExec_t ready; /* NULL: no signals */
static size_t at_a_time;      /* signals that fit in the buffer of a chain */

static void whole_signals(size_t batch, cudaStream_t stream)
{
    unsigned side = signals_of_a_block();
    dim3 block(one->threads, side);

    one->whole<<<(unsigned)((batch + side - 1) / side), block, side * one->shared, stream>>>(
        batch, d_w1, d_x, d_X);
    CUDA(cudaGetLastError());
}

/* Queues the columns and then the rows of `signals` signals from `first` on, by way of the buffer `between`. */
static void split_signals(size_t first, size_t signals, float2 *between, cudaStream_t stream)
{
    const unsigned n1 = one->n, n2 = two->n;
    const size_t at = first * n1 * n2;
    dim3 block1(side, one->threads), block2(side, two->threads);

    split.columns<<<blocks_of(signals, n2), block1, side * one->shared, stream>>>(
        n2, d_w1, d_near, d_far, d_x + at, between);
    CUDA(cudaGetLastError());
    split.rows<<<blocks_of(signals, n1), block2, side * two->shared, stream>>>(n1, d_w2, between,
                                                                               d_X + at);
    CUDA(cudaGetLastError());
}

/* Queues all chains, to be recorded: they fork from `stream` and join it again. */
static void chains_from(size_t batch, cudaStream_t stream, cudaStream_t chain[CHAINS],
                        cudaEvent_t part, cudaEvent_t meet)
{
    CUDA(cudaEventRecord(part, stream));
    for (size_t c = 0; c < CHAINS && c * at_a_time < batch; c++) {
        float2 *between = d_a + c * at_a_time * numbers_between();

        CUDA(cudaStreamWaitEvent(chain[c], part, 0));
        for (size_t s = c * at_a_time; s < batch; s += CHAINS * at_a_time)
            split_signals(s, batch - s < at_a_time ? batch - s : at_a_time, between, chain[c]);
        CUDA(cudaEventRecord(meet, chain[c]));
        CUDA(cudaStreamWaitEvent(stream, meet, 0));
    }
}

static cudaGraphExec_t record(size_t batch)
{
    cudaStream_t stream, chain[CHAINS];
    cudaEvent_t part, meet;
    cudaGraph_t graph;
    cudaGraphExec_t recorded;

    CUDA(cudaStreamCreate(&stream));
    for (int c = 0; c < CHAINS; c++)
        CUDA(cudaStreamCreate(&chain[c]));
    CUDA(cudaEventCreateWithFlags(&part, cudaEventDisableTiming));
    CUDA(cudaEventCreateWithFlags(&meet, cudaEventDisableTiming));
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    if (two == NULL)
        whole_signals(batch, stream);
    else
        chains_from(batch, stream, chain, part, meet);
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphInstantiate(&recorded, graph, 0));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaEventDestroy(part));
    CUDA(cudaEventDestroy(meet));
    for (int c = 0; c < CHAINS; c++)
        CUDA(cudaStreamDestroy(chain[c]));
    CUDA(cudaStreamDestroy(stream));
    return recorded;
}

static void prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    find_lengths(p);
    at_a_time = 1;
    if (two != NULL && ROOM / CHAINS > numbers_between() * sizeof *d_a)
        at_a_time = ROOM / CHAINS / (numbers_between() * sizeof *d_a);
    prepare_length(p, CHAINS * at_a_time);
    ready = p->batch > 0 ? record(p->batch) : NULL;
}

static void run(const void *problem)
{
    (void)problem;
    if (ready != NULL)
        CUDA(cudaGraphLaunch(ready, 0));
}

static void release(void)
{
    if (ready != NULL)
        CUDA(cudaGraphExecDestroy(ready));
    ready = NULL;
    release_length();
}

VARIANT(.idea = "chains side by side: what lies between columns and rows stays in the cache",
        .base = "cuda_registers",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse_length,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
