/*
 * compact / cuda_specialised
 *
 * Idea     Warps with one task each, connected by barriers in shared memory: one warp requests tiles from the copy engine,
 *          one counts, one looks back, and the others pack and write.  Four to six tiles of a multiprocessor are on their
 *          way at any time, each at another station.
 * Against  cuda_packed, whose threads do one thing after the other: while a tile looks back, its threads request nothing.
 * Expect   The look-back takes one or two microseconds.  It now costs shared memory for the tiles that wait, and no time:
 *          85 % of a copy's rate at L.
 * Try      STAGES = 2: no tile waits, so memory does.
 * Level    3
 * Read     cuda_buffers.h, cuda_strip.h, lookback.h
 *
 *     tile                 5          4          3          2          1
 *     copy engine          arrives
 *     warp 1                          counts, publishes OWN
 *     warp 2                                     looks back, publishes ALL
 *     warps 3 to 10                                         pack and write
 *     barrier behind it    full       counted    placed     empty
 */
#include "cuda_strip.h" /* strip_load, strip_store */
#include "lookback.h"   /* lookback_ticket, lookback_publish, lookback_before */

enum { LOADER, COUNTER, LOOKER, FIRST_WORKER }; /* warps */
enum { LINE = 32, END = ~0u >> 1 };

/* TILE: elements.  STAGES: tiles on their way.  WORKERS: warps that pack, each a strip of its own. */
template <int TILE_, int STAGES_, int WORKERS_> struct shape {
    enum { TILE = TILE_, STAGES = STAGES_, WORKERS = WORKERS_, STRIP = TILE / WORKERS, THREADS = (FIRST_WORKER + WORKERS) * 32 };
};

template <class S> struct alignas(128) ring {
    float elements[S::STAGES][S::TILE];
    unsigned tile[S::STAGES];                 /* the tile's number, or END */
    unsigned counts[S::STAGES][S::WORKERS];   /* of kept elements, by strip */
    uint64_t before[S::STAGES];               /* kept elements before the tile */
    uint64_t full[S::STAGES], counted[S::STAGES], placed[S::STAGES], empty[S::STAGES]; /* barriers */
};

static struct lookback state;
static int processors; /* of the device */

#if __CUDA_ARCH__ >= 900
__device__ static unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ static void barrier_init(uint64_t *barrier, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1; fence.mbarrier_init.release.cluster;"
                 :: "r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

__device__ static void barrier_arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(shared_address(barrier)) : "memory");
}

/* Requests bytes, and arrives.  The barrier opens when they are there. */
__device__ static void barrier_fetch(uint64_t *barrier, float *to, const float *from, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(shared_address(barrier)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :: "r"(shared_address(to)), "l"(from), "r"(bytes), "r"(shared_address(barrier)) : "memory");
}

__device__ static void barrier_wait(uint64_t *barrier, unsigned phase)
{
    unsigned open;

    do
        asm volatile("{.reg .pred open; mbarrier.try_wait.parity.shared::cta.b64"
                     " open, [%1], %2; selp.u32 %0, 1, 0, open;}"
                     : "=r"(open) : "r"(shared_address(barrier)), "r"(phase) : "memory");
    while (!open);
}

/* One thread.  It takes a ticket when there is room for the tile: a tile that waited would keep all later ones waiting, too. */
template <class S> __device__ static void load_tiles(ring<S> &r, const float *x, const lookback &state)
{
    for (unsigned turn = 0;; turn++) {
        const unsigned s = turn % S::STAGES, round = turn / S::STAGES;

        if (round > 0)
            barrier_wait(&r.empty[s], (round - 1) & 1);

        const unsigned tile = lookback_ticket(state, state.tiles + gridDim.x); /* a block's last ticket names no tile */
        if (tile >= state.tiles) {
            r.tile[s] = END;
            barrier_arrive(&r.full[s]);
            return;
        }
        r.tile[s] = tile;
        barrier_fetch(&r.full[s], r.elements[s], x + (size_t)tile * S::TILE, S::TILE * sizeof *x);
    }
}

template <class S> __device__ static void count_tiles(ring<S> &r, const lookback &state)
{
    const unsigned lane = threadIdx.x % 32;

    for (unsigned turn = 0;; turn++) {
        const unsigned s = turn % S::STAGES;

        barrier_wait(&r.full[s], turn / S::STAGES & 1);
        const unsigned tile = r.tile[s];
        unsigned all = 0;

        for (int w = 0; w < S::WORKERS && tile != END; w++) {
            const float4 *quads = (const float4 *)(r.elements[s] + w * S::STRIP);
            unsigned count = 0;
#pragma unroll
            for (int q = 0; q < S::STRIP / 128; q++) {
                const float4 v = quads[q * 32 + lane];
                count += keeps(v.x) + keeps(v.y) + keeps(v.z) + keeps(v.w);
            }
            count = __reduce_add_sync(~0u, count);
            if (lane == 0)
                r.counts[s][w] = count;
            all += count;
        }
        if (lane == 0 && tile != END)
            lookback_publish(state, tile, OWN, all);
        barrier_arrive(&r.counted[s]); /* every lane, because each has read a part of the tile */
        if (tile == END)
            return;
    }
}

template <class S> __device__ static void place_tiles(ring<S> &r, const lookback &state, uint64_t *count)
{
    const unsigned lane = threadIdx.x % 32;

    for (unsigned turn = 0;; turn++) {
        const unsigned s = turn % S::STAGES;

        barrier_wait(&r.counted[s], turn / S::STAGES & 1);
        const unsigned tile = r.tile[s];

        if (tile != END) {
            const unsigned own = __reduce_add_sync(~0u, lane < S::WORKERS ? r.counts[s][lane] : 0);
            const uint64_t before = lookback_before(state, tile);
            if (lane == 0) {
                lookback_publish(state, tile, ALL, before + own);
                r.before[s] = before;
                if (tile == state.tiles - 1)
                    *count = before + own;
            }
        }
        barrier_arrive(&r.placed[s]);
        if (tile == END)
            return;
    }
}

/* Packs a warp's strip in its place, and writes it in aligned lines. */
template <class S> __device__ static void pack_tiles(ring<S> &r, float *kept)
{
    enum { ROUNDS = S::STRIP < 512 ? S::STRIP / 32 : 16 };
    const unsigned lane = threadIdx.x % 32, worker = threadIdx.x / 32 - FIRST_WORKER;

    for (unsigned turn = 0;; turn++) {
        const unsigned s = turn % S::STAGES;
        float *strip = r.elements[s] + worker * S::STRIP;
        uint64_t before;
        int count = 0;

        barrier_wait(&r.placed[s], turn / S::STAGES & 1);
        if (r.tile[s] == END)
            return;
        before = r.before[s];
        for (unsigned w = 0; w < worker; w++)
            before += r.counts[s][w];
        for (int i = 0; i < S::STRIP; i += ROUNDS * 32) {
            const auto part = strip_load<ROUNDS>(strip + i);
            __syncwarp(); /* all lanes have read the part, which may be overwritten now */
            strip_store(part, strip + count);
            count += (int)part.count;
        }
        __syncwarp();
        for (int i = (int)lane - (int)(before % LINE); i < count; i += LINE)
            if (i >= 0)
                kept[before + i] = strip[i];
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); /* before the copy engine writes here again */
        barrier_arrive(&r.empty[s]);
    }
}
#endif

template <class S>
__global__ static void __launch_bounds__(S::THREADS) pack(const float *x, float *kept, uint64_t *count, lookback state)
{
#if __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) unsigned char shared[];
    ring<S> &r = *(ring<S> *)shared;
    const unsigned warp = threadIdx.x / 32;

    if (threadIdx.x == 0)
        for (int s = 0; s < S::STAGES; s++) {
            barrier_init(&r.full[s], 1);
            barrier_init(&r.counted[s], 32);
            barrier_init(&r.placed[s], 32);
            barrier_init(&r.empty[s], S::WORKERS * 32);
        }
    __syncthreads();
    if (warp == LOADER) {
        if (threadIdx.x == 0)
            load_tiles<S>(r, x, state);
    } else if (warp == COUNTER)
        count_tiles<S>(r, state);
    else if (warp == LOOKER)
        place_tiles<S>(r, state, count);
    else
        pack_tiles<S>(r, kept);
#endif
}

/* Large tiles need fewer look-backs.  Small ones keep more multiprocessors busy where there are few elements. */
typedef shape<8192, 6, 8> large;
typedef shape<2048, 6, 4> small;

static bool is_small(size_t n)
{
    return n < (size_t)processors * 4 * large::TILE;
}

static const char *refuse(const void *problem)
{
    int major;

    (void)problem;
    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    return major >= 9 ? NULL : "needs compute capability 9.0 or more: bulk copies";
}

template <class S> static void prepare_shape(size_t n)
{
    lookback_make(&state, tiles_of(n, S::TILE));
    CUDA(cudaFuncSetAttribute(pack<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(ring<S>)));
}

static void prepare_state(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    prepare(problem);
    CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    if (is_small(p->n))
        prepare_shape<small>(p->n);
    else
        prepare_shape<large>(p->n);
}

/* As many blocks as fit on the device, unless there are fewer tiles. */
template <class S> static void launch(void)
{
    const unsigned per_processor = (unsigned)(220 * 1024 / sizeof(ring<S>)), most = (unsigned)processors * per_processor;

    lookback_next_call(&state);
    pack<S><<<state.tiles < most ? state.tiles : most, S::THREADS, sizeof(ring<S>)>>>(d_x, d_kept, d_count, state);
    CUDA(cudaGetLastError());
}

static void run(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    if (is_small(p->n))
        launch<small>();
    else
        launch<large>();
}

static void release_state(void)
{
    lookback_free(&state);
    release();
}

VARIANT(.idea = "warps that load, count, look back, pack: tiles pass through",
        .base = "cuda_packed",
        .device = &device_gpu,
        .refuse = refuse,
        .prepare = prepare_state,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_state)
