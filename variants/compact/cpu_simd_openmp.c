/*
 * compact / cpu_simd_openmp
 *
 * Idea     x is read once.  A free core packs the next piece of x into a buffer in its cache.  Then it learns from the
 *          piece before where the answer of its own begins, tells the piece after, and copies the buffer there with
 *          streaming stores.  `omp ordered` hands that number from piece to piece.
 * Against  cpu_simd, on one core; cpu_openmp, which reads x twice.
 * Expect   7.2 bytes per element at the memory's rate, with 20 % NaN.  The cores wait for each other only for an addition.
 * Try      PIECE = 2^12: how long does `ordered` take?  2^20: the buffer no longer fits in the cache.
 * Level    3
 * Read     avx2.h
 */
#include <immintrin.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "avx2.h" /* permutations_make, pack_avx2 */
#include "common/compact.h"
#include "common/variant.h"

enum {
    PIECE = 1 << 16,        /* elements: 256 KiB, in a second-level cache with its buffer */
    STREAM_FROM = 16 << 20, /* bytes of x; with the answer, more than most last-level caches keep */
    THREADS_FROM = 2 * PIECE
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

static void run(const void *problem)
{
    const struct compact *p = problem;
    uint64_t all = 0; /* kept elements of the pieces so far */

    if (p->n < THREADS_FROM) {
        *p->count = pack_avx2(p->x, p->n, p->kept);
        return;
    }
#pragma omp parallel for ordered schedule(dynamic)
    for (size_t first = 0; first < p->n; first += PIECE) {
        float *buffer = buffers + (size_t)omp_get_thread_num() * PIECE;
        const size_t n = p->n - first < PIECE ? p->n - first : PIECE, count = pack_avx2(p->x + first, n, buffer);
        uint64_t before;

#pragma omp ordered
        {
            before = all;
            all += count;
        }
        if (p->n * sizeof *p->x < STREAM_FROM)
            memcpy(p->kept + before, buffer, count * sizeof *buffer);
        else
            copy_streamed(p->kept + before, buffer, count);
    }
    *p->count = all;
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
