/*
 * compact / cuda_lookback
 *
 * Idea     One launch.  A tile publishes how many elements it keeps, and looks back through what the tiles before it have
 *          published until it knows its place.  Meanwhile its elements stay in registers.
 * Against  cuda_warp, whose second kernel must wait for the first and whose third reads x again.
 * Expect   8 bytes per element instead of 12: two thirds of the time at L, if other blocks of the multiprocessor work
 *          while one waits.  At S a third, for two launches that are gone.
 * Try      The block's number instead of a ticket: it may hang, when the device starts blocks in another order.  In the
 *          simulator RUNGS_SIM_SEED=1 does so.
 * Level    3
 * Read     cuda_buffers.h, cuda_strip.h, lookback.h
 */
#include "cuda_strip.h" /* strip_load, block_places, strip_store */
#include "lookback.h"   /* lookback_ticket, lookback_publish, lookback_before */

enum { WARPS = 8, ROUNDS = 16, STRIP = ROUNDS * 32, TILE = WARPS * STRIP };

static struct lookback state;

__global__ static void pack(const float *x, float *kept, uint64_t *count, lookback state)
{
    __shared__ unsigned ticket;
    __shared__ uint64_t before;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    if (threadIdx.x == 0)
        ticket = lookback_ticket(state, state.tiles);
    __syncthreads();
    const unsigned tile = ticket;
    const strip<ROUNDS> s = strip_load<ROUNDS>(x + (size_t)tile * TILE + warp * STRIP);
    const places p = block_places<WARPS>(s.count);

    if (warp == 0) {
        if (lane == 0)
            lookback_publish(state, tile, OWN, p.all);
        const uint64_t sum = lookback_before(state, tile);
        if (lane == 0) {
            lookback_publish(state, tile, ALL, sum + p.all);
            before = sum;
            if (tile == state.tiles - 1)
                *count = sum + p.all;
        }
    }
    __syncthreads();
    strip_store(s, kept + before + p.before);
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
    pack<<<state.tiles, WARPS * 32>>>(d_x, d_kept, d_count, state);
    CUDA(cudaGetLastError());
}

static void release_state(void)
{
    lookback_free(&state);
    release();
}

VARIANT(.idea = "one launch: each tile looks back for its place",
        .base = "cuda_warp",
        .device = &device_gpu,
        .prepare = prepare_state,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_state)
