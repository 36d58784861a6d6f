/*
 * compact / cpu_simd_openmp
 *
 * Idea     x is read once.  A free core packs the next piece of x into a buffer in its cache.  Then it learns from the
 *          piece before where the answer of its own begins, tells the piece after, and copies the buffer there with
 *          streaming stores.  That number is handed from piece to piece by an atomic variable, on which cores spin.
 * Against  cpu_simd, on one core; cpu_openmp, which reads x twice.
 * Expect   7.2 bytes per element at the memory's rate, with 20 % NaN.  The cores wait for each other only for an addition.
 * Try      `omp ordered` in place of the atomic variable: waiting cores go to sleep, and to wake one takes longer than to pack a
 *          piece.  PIECE = 2^20: the buffer no longer fits in the cache.
 * Level    3
 * Read     avx2.h
 */
#include <immintrin.h>
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "avx2.h" /* permutations_make, pack_avx2 */
#include "common/compact.h"
#include "common/variant.h"

enum {
    PIECE = 1 << 16,        /* elements: 256 KiB, in a second-level cache with its buffer */
    STREAM_FROM = 16 << 20, /* bytes of x; with the answer, more than most last-level caches keep */
    THREADS_FROM = 2 * PIECE,
    SPINS = 4096            /* then let another thread run: there may be more threads than cores */
};

static float *buffers; /* [threads][PIECE] */

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") ? NULL : "needs a CPU with AVX2";
}

static void prepare(const void *problem)
{
    (void)problem;
    permutations_make();
    buffers = aligned_alloc(64, (size_t)omp_get_max_threads() * PIECE * sizeof *buffers);
}

/* Copies past the caches. */
__attribute__((target("avx2"))) static void copy_streamed(float *to, const float *from, size_t n)
{
    size_t i = 0;

    for (; i < n && (uintptr_t)(to + i) % 64 != 0; i++)
        to[i] = from[i];
    for (; i + 16 <= n; i += 16) {
        _mm256_stream_ps(to + i, _mm256_loadu_ps(from + i));
        _mm256_stream_ps(to + i + 8, _mm256_loadu_ps(from + i + 8));
    }
    for (; i < n; i++)
        to[i] = from[i];
    _mm_sfence(); /* streaming stores are not ordered with others: wait for them here */
}

/* The pieces are taken in their order, so the piece whose turn it is has always been taken. */
struct queue {
    atomic_size_t taken, turn; /* pieces */
    uint64_t all;              /* kept elements of the pieces before `turn` */
};

/* Waits for the pieces before this one, and returns where its answer begins. */
static uint64_t place_of(struct queue *q, size_t piece, uint64_t count)
{
    for (unsigned spins = 0; atomic_load_explicit(&q->turn, memory_order_acquire) != piece; spins++) {
        if (spins < SPINS)
            _mm_pause();
        else
            sched_yield();
    }
    const uint64_t place = q->all;

    q->all = place + count;
    atomic_store_explicit(&q->turn, piece + 1, memory_order_release);
    return place;
}

static void run(const void *problem)
{
    const struct compact *p = problem;
    struct queue q = {0};

    if (p->n < THREADS_FROM) {
        *p->count = pack_avx2(p->x, p->n, p->kept);
        return;
    }
#pragma omp parallel
    for (size_t piece; (piece = atomic_fetch_add(&q.taken, 1)) * PIECE < p->n;) {
        float *buffer = buffers + (size_t)omp_get_thread_num() * PIECE;
        const size_t first = piece * PIECE, n = p->n - first < PIECE ? p->n - first : PIECE;
        const size_t count = pack_avx2(p->x + first, n, buffer);
        const uint64_t place = place_of(&q, piece, count);

        if (p->n * sizeof *p->x < STREAM_FROM)
            memcpy(p->kept + place, buffer, count * sizeof *buffer);
        else
            copy_streamed(p->kept + place, buffer, count);
    }
    *p->count = q.all;
}

static void release(void)
{
    free(buffers);
}

VARIANT(.idea = "pieces packed in the cache, places handed on in order",
        .base = "cpu_simd",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
