/*
 * compact / cuda_streams
 *
 * Idea     Chunks take turns, each in its own stream: while one is packed, the next comes in and the last goes out.  Where
 *          a chunk's answer goes depends on the counts of all chunks before it, so the host waits for each count before it
 *          requests the way back.  By then the next chunks are on their way in.  The arrays are page-locked.
 * Against  cuda_lookback: the whole array in, the kernel, the whole answer out.
 * Expect   End to end the time of the way in, which is longer than the way out.
 * Try      SLOTS = 2: while the host waits for a count, nothing else is on its way in.
 * Level    3
 * Read     cuda_buffers.h, cuda_strip.h, lookback.h
 *
 *     in        0    1    2    3    4
 *     pack           0    1    2    3
 *     count           0    1    2    3      the host adds it up
 *     out                 0    1    2    3  chunk i goes behind chunk i - 1
 */
#include "cuda_strip.h" /* strip_load, block_places, strip_store */
#include "lookback.h"   /* lookback_ticket, lookback_publish, lookback_before */

enum {
    WARPS = 8,
    ROUNDS = 16,
    STRIP = ROUNDS * 32,
    TILE = WARPS * STRIP,
    CHUNK = 1 << 21, /* elements: 8 MiB, long enough for the bus's full rate */
    SLOTS = 4        /* chunks: two on their way in, one being packed, one on its way out */
};

static struct slot {
    float *d_x, *d_kept;
    uint64_t *d_count, *count; /* the second one in page-locked host memory */
    struct lookback state;
    cudaStream_t stream;
    cudaEvent_t counted;
} slots[SLOTS];

static void *locked[2]; /* arrays of the problem, page-locked; NULL: empty, or not lockable */

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

static void *lock(const float *array, size_t bytes, unsigned flags)
{
    if (bytes > 0 && cudaHostRegister((void *)array, bytes, flags) == cudaSuccess)
        return (void *)array;
    (void)cudaGetLastError(); /* clears the error: no later check must report it */
    return NULL; /* copies still work, but do not overlap */
}

static void prepare_slots(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    locked[0] = lock(p->x, p->n * sizeof *p->x, cudaHostRegisterReadOnly); /* the inputs are read-only */
    locked[1] = lock(p->kept, p->n * sizeof *p->kept, cudaHostRegisterDefault);
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaMalloc(&s->d_x, CHUNK * sizeof *s->d_x));
        CUDA(cudaMalloc(&s->d_kept, CHUNK * sizeof *s->d_kept));
        CUDA(cudaMalloc(&s->d_count, sizeof *s->d_count));
        CUDA(cudaMallocHost(&s->count, sizeof *s->count));
        CUDA(cudaStreamCreate(&s->stream));
        CUDA(cudaEventCreateWithFlags(&s->counted, cudaEventDisableTiming));
        lookback_make(&s->state, CHUNK / TILE);
    }
}

/* Requests chunk i: the way in, the kernel, and its count. */
static void begin(const struct compact *p, size_t i)
{
    struct slot *s = &slots[i % SLOTS];
    const size_t first = i * CHUNK, n = p->n - first < CHUNK ? p->n - first : (size_t)CHUNK;

    CUDA(cudaMemcpyAsync(s->d_x, p->x + first, n * sizeof *p->x, cudaMemcpyHostToDevice, s->stream));
    if (n < CHUNK)
        CUDA(cudaMemsetAsync(s->d_x + n, 0xff, (CHUNK - n) * sizeof *s->d_x, s->stream)); /* NaN */
    lookback_next_call(&s->state);
    pack<<<CHUNK / TILE, WARPS * 32, 0, s->stream>>>(s->d_x, s->d_kept, s->d_count, s->state);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpyAsync(s->count, s->d_count, sizeof *s->count, cudaMemcpyDeviceToHost, s->stream));
    CUDA(cudaEventRecord(s->counted, s->stream));
}

/* Waits for the count of chunk i, and requests the way back.  Returns the count. */
static uint64_t end(const struct compact *p, size_t i, uint64_t before)
{
    const struct slot *s = &slots[i % SLOTS];

    CUDA(cudaEventSynchronize(s->counted));
    CUDA(cudaMemcpyAsync(p->kept + before, s->d_kept, *s->count * sizeof *p->kept, cudaMemcpyDeviceToHost, s->stream));
    return *s->count;
}

static void run(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;
    const size_t chunks = (p->n + CHUNK - 1) / CHUNK;
    uint64_t before = 0;

    /* A stream works in order, so a slot is not filled again before its last copy has ended. */
    for (size_t i = 0; i < chunks && i < SLOTS - 1; i++)
        begin(p, i);
    for (size_t i = 0; i < chunks; i++) {
        if (i + SLOTS - 1 < chunks)
            begin(p, i + SLOTS - 1);
        before += end(p, i, before);
    }
    CUDA(cudaDeviceSynchronize());
    *p->count = before;
}

static void release_slots(void)
{
    for (struct slot *s = slots; s < slots + SLOTS; s++) {
        CUDA(cudaStreamDestroy(s->stream));
        CUDA(cudaEventDestroy(s->counted));
        CUDA(cudaFree(s->d_x));
        CUDA(cudaFree(s->d_kept));
        CUDA(cudaFree(s->d_count));
        CUDA(cudaFreeHost(s->count));
        lookback_free(&s->state);
    }
    for (void *array : locked)
        if (array != NULL)
            CUDA(cudaHostUnregister(array));
}

VARIANT(.idea = "chunks in streams; each count says where the next chunk goes",
        .base = "cuda_lookback",
        .device = &device_gpu,
        .prepare = prepare_slots,
        .run = run,
        .release = release_slots)
