/*
 * Copies between ordinary (pageable) memory and a GPU at the rate of the bus, for the variants cuda_staged.
 *
 * The GPU copies by itself only from and to page-locked memory.  Page-locking the user's own arrays takes longer
 * than a plain copy of them.  So each host thread has some small page-locked buffers, locked once, and its data
 * pass through them:
 *
 *     user's input  --thread-->  up  --bus-->  d_up  --kernel-->  d_down  --bus-->  down  --thread-->  user's output
 *
 * One core copies 10 to 20 GB/s, and the bus carries 50 GB/s each way.  So several threads take chunks in turn.
 * They share nothing but the number of the next chunk, and so cannot wait for one another:
 *
 *     thread 0   send chunk 0   send 2    take 0, send 4    take 2, send 5   ...   take 4   take 5
 *     thread 1   send chunk 1   send 3    take 1, send 6    take 3, send 7   ...   take 6   take 7
 *
 * `send` fills `up` and queues the copies and kernels of a chunk.  `take` empties `down`, when all of them have ended.
 */
#ifndef RUNGS_STAGING_H
#define RUNGS_STAGING_H

#include <omp.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "common/cuda.h"

#ifndef STAGE_THREADS
#define STAGE_THREADS 12
#endif
#ifndef STAGE_SLOTS
#define STAGE_SLOTS 2
#endif

enum { STAGE_ALIGNED = 4096 }; /* bytes; of each buffer */

/* What one chunk passes through, between send and take. */
struct stage {
    char *up, *down;     /* page-locked */
    char *d_up, *d_down; /* on the device */
    cudaStream_t stream;
    cudaEvent_t done; /* everything that send has queued */
    size_t chunk;     /* which one is under way */
    bool full;        /* one is */
};

static struct stage *stages; /* [stage_threads][STAGE_SLOTS] */
static int stage_threads;
static char *stage_locked, *stage_device;

static size_t stage_round(size_t bytes)
{
    return (bytes + STAGE_ALIGNED - 1) / STAGE_ALIGNED * STAGE_ALIGNED;
}

/* For prepare.  Allocates buffers for chunks of at most so many bytes on their way up and down. */
static void stage_open(size_t up, size_t down)
{
    const int most = omp_get_max_threads(); /* the user's --threads */

    up = stage_round(up);
    down = stage_round(down);
    stage_threads = most < STAGE_THREADS ? most : STAGE_THREADS;
    size_t count = (size_t)stage_threads * STAGE_SLOTS;
    stages = (struct stage *)calloc(count, sizeof *stages);
    CUDA(cudaMallocHost(&stage_locked, count * (up + down)));
    CUDA(cudaMalloc(&stage_device, count * (up + down)));
    for (size_t i = 0; i < count; i++) {
        struct stage *s = &stages[i];

        s->up = stage_locked + i * (up + down);
        s->down = s->up + up;
        s->d_up = stage_device + i * (up + down);
        s->d_down = s->d_up + up;
        CUDA(cudaStreamCreate(&s->stream));
        CUDA(cudaEventCreateWithFlags(&s->done, cudaEventDisableTiming));
    }
}

/* For release. */
static void stage_close(void)
{
    for (int i = 0; i < stage_threads * STAGE_SLOTS; i++) {
        CUDA(cudaEventDestroy(stages[i].done));
        CUDA(cudaStreamDestroy(stages[i].stream));
    }
    CUDA(cudaFreeHost(stage_locked));
    CUDA(cudaFree(stage_device));
    free(stages);
}

/* Empties a slot, so that it can be filled again. */
template <class Take>
static void stage_finish(struct stage *s, Take take)
{
    if (!s->full)
        return;
    CUDA(cudaEventSynchronize(s->done));
    take(s->chunk, s);
    s->full = false;
}

/*
 * Sends and takes chunks 0 to `chunks` - 1, each once: send(chunk, slot) and take(chunk, slot), by the same thread.
 * Returns when all have been taken.  All of a chunk's copies and kernels must be in the slot's stream.
 */
template <class Send, class Take>
static void stage_run(size_t chunks, Send send, Take take)
{
    int team = chunks < (size_t)stage_threads ? (int)chunks : stage_threads;

    (void)team; /* nvcc's own compiler does not read the next line */
    if (chunks == 0)
        return;
#pragma omp parallel num_threads(team)
    {
        struct stage *mine = stages + (size_t)omp_get_thread_num() * STAGE_SLOTS;
        size_t next = 0;

#pragma omp for schedule(dynamic) nowait
        for (size_t chunk = 0; chunk < chunks; chunk++) {
            struct stage *s = &mine[next++ % STAGE_SLOTS];

            stage_finish(s, take);
            send(chunk, s);
            CUDA(cudaEventRecord(s->done, s->stream));
            s->chunk = chunk;
            s->full = true;
        }
        for (size_t i = 0; i < STAGE_SLOTS; i++) /* the oldest first */
            stage_finish(&mine[next++ % STAGE_SLOTS], take);
    }
}

/* memcpy from a page-locked buffer to the user's memory, past the caches: ordinary stores would first read the lines
   that they overwrite.  (The way up takes memcpy: its buffers are small and are to stay in the caches.) */
static void stage_stream(void *to, const void *from, size_t bytes)
{
#ifdef __SSE2__
    char *out = (char *)to;
    const char *in = (const char *)from;
    size_t before = (size_t)(-(uintptr_t)out & 63);

    before = before < bytes ? before : bytes;
    memcpy(out, in, before);
    out += before, in += before, bytes -= before;
    for (; bytes >= 64; out += 64, in += 64, bytes -= 64) {
        const __m128i *v = (const __m128i *)in;
        __m128i a = _mm_loadu_si128(v), b = _mm_loadu_si128(v + 1);
        __m128i c = _mm_loadu_si128(v + 2), d = _mm_loadu_si128(v + 3);

        _mm_stream_si128((__m128i *)out, a);
        _mm_stream_si128((__m128i *)out + 1, b);
        _mm_stream_si128((__m128i *)out + 2, c);
        _mm_stream_si128((__m128i *)out + 3, d);
    }
    memcpy(out, in, bytes);
    _mm_sfence(); /* streaming stores are not ordered with others: wait for them here */
#else
    memcpy(to, from, bytes);
#endif
}

#endif
