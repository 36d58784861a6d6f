/*
 * compact / cuda_packed
 *
 * Idea     A tile is packed in shared memory first, while nothing depends on its place yet.  Then it is written in whole
 *          aligned lines of 128 bytes.
 * Against  cuda_lookback, whose warps write some 26 of 32 elements at a time, at any address.
 * Expect   Each store of a warp covers one line instead of parts of two, so the second-level cache gets two thirds of the
 *          requests.  A little at L; nothing where the latency of the look-back is the limit.
 * Try      `first` = 0 instead of the line's beginning: then no store is aligned.
 * Level    3
 * Read     cuda_buffers.h, cuda_strip.h, lookback.h
 *
 *     kept        ......|--------------------------------|--------------------------------|------------   lines
 *     tile                       AAAAAAAAAAAAAAAAAAAAAAAAA AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA AAAAA
 *     stores                     0                        1                                2
 */
#include "cuda_strip.h" /* strip_load, block_places, strip_store */
#include "lookback.h"   /* lookback_ticket, lookback_publish, lookback_before */

enum { WARPS = 8, ROUNDS = 16, STRIP = ROUNDS * 32, TILE = WARPS * STRIP, THREADS = WARPS * 32, LINE = 32 };

static struct lookback state;

__global__ static void pack(const float *x, float *kept, uint64_t *count, lookback state)
{
    __shared__ float packed[TILE];
    __shared__ unsigned ticket;
    __shared__ uint64_t before;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    if (threadIdx.x == 0)
        ticket = lookback_ticket(state, state.tiles);
    __syncthreads();
    const unsigned tile = ticket;
    const strip<ROUNDS> s = strip_load<ROUNDS>(x + (size_t)tile * TILE + warp * STRIP);
    const places p = block_places<WARPS>(s.count);

    if (threadIdx.x == 0)
        lookback_publish(state, tile, OWN, p.all);
    strip_store(s, packed + p.before);
    if (warp == 0) {
        const uint64_t sum = lookback_before(state, tile);
        if (lane == 0) {
            lookback_publish(state, tile, ALL, sum + p.all);
            before = sum;
            if (tile == state.tiles - 1)
                *count = sum + p.all;
        }
    }
    __syncthreads();
    /* The address of `kept` is that of a line. */
    float *to = kept + before;
    const int first = -(int)(before % LINE);

    for (int i = first + (int)threadIdx.x; i < (int)p.all; i += THREADS)
        if (i >= 0)
            to[i] = packed[i];
}

static void prepare_state(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    prepare(problem);
    lookback_make(&state, tiles_of(p->n, TILE));
}

static void run(const void *problem)
{
    (void)problem;
    lookback_next_call(&state);
    pack<<<state.tiles, THREADS>>>(d_x, d_kept, d_count, state);
    CUDA(cudaGetLastError());
}

static void release_state(void)
{
    lookback_free(&state);
    release();
}

VARIANT(.idea = "packed in shared memory, written in whole lines",
        .base = "cuda_lookback",
        .device = &device_gpu,
        .prepare = prepare_state,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_state)
