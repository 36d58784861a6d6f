/* map: a range of elements by AVX2, for the variants of one core and of all. */
#ifndef RUNGS_MAP_AVX2_RANGE_H
#define RUNGS_MAP_AVX2_RANGE_H

#include <stdbool.h>
#include <string.h>

#include "avx2.h"
#include "common/map.h"

static struct window windows[WINDOWS];

/* Bytes of an answer from which streaming stores pay: with what is read, more than most last-level caches keep. */
enum { STREAM_FROM = 16 << 20 };

/* Floats that are computed in the cache before they stream out, 2 KiB.  Otherwise there is a whole sine between two streaming
   stores of a cache line, and a processor may give up its buffer for the line half full.  That took twice the time (a Xeon,
   2026-11-27). */
enum { BURST = 512 };

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? NULL : "needs AVX2 and FMA";
}

AVX2 __m256 float8(int f, __m256 x, __m256 y)
{
    return f == MAP_TRIG ? trig8(x, y, windows) : reldiff8(x, y);
}

/* What is left behind the last eight has the value 1, for which no function faults. */
__attribute__((target("avx2,fma"), always_inline)) static inline void
floats(int f, const float *x, const float *y, float *z, size_t n)
{
    float few_x[8] = {1, 1, 1, 1, 1, 1, 1, 1}, few_y[8] = {1, 1, 1, 1, 1, 1, 1, 1}, few_z[8];
    size_t i = 0;

    for (; i + 8 <= n; i += 8)
        _mm256_storeu_ps(z + i, float8(f, _mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i)));
    if (i == n)
        return;
    memcpy(few_x, x + i, (n - i) * sizeof *x);
    memcpy(few_y, y + i, (n - i) * sizeof *y);
    _mm256_storeu_ps(few_z, float8(f, _mm256_loadu_ps(few_x), _mm256_loadu_ps(few_y)));
    memcpy(z + i, few_z, (n - i) * sizeof *z);
}

/* Returns how many elements are before the place where a streaming store may begin, `count` at most. */
static inline size_t unaligned(const void *at, size_t size, size_t count)
{
    const size_t few = (-(uintptr_t)at & 31) / size;

    return few < count ? few : count;
}

__attribute__((target("avx2,fma"), always_inline)) static inline void
float_range(const struct map *p, int f, size_t begin, size_t end, bool stream)
{
    float block[BURST] __attribute__((aligned(32)));

    for (size_t count; begin < end; begin += count) {
        const size_t few = unaligned(p->z + begin, sizeof *p->z, end - begin);

        count = !stream ? end - begin : few > 0 ? few : end - begin < BURST ? end - begin : BURST;
        float *to = stream && count == BURST ? block : p->z + begin;
        floats(f, p->x + begin, p->y + begin, to, count);
        for (size_t i = 0; i < BURST && to == block; i += 8)
            _mm256_stream_ps(p->z + begin + i, _mm256_load_ps(block + i));
    }
}

AVX2 void suppress_few(const struct map *p, size_t begin, size_t end, __m256i threshold)
{
    int16_t x[16] = {0}, z[16];

    memcpy(x, p->x16 + begin, (end - begin) * sizeof *x);
    _mm256_storeu_si256((__m256i *)z, suppress16(_mm256_loadu_si256((const __m256i *)x), threshold));
    memcpy(p->z16 + begin, z, (end - begin) * sizeof *z);
}

__attribute__((target("avx2,fma"), always_inline)) static inline void
suppress_range(const struct map *p, size_t begin, size_t end, bool stream)
{
    const __m256i threshold = _mm256_set1_epi16((int16_t)p->threshold);
    size_t i = begin + (stream ? unaligned(p->z16 + begin, sizeof *p->z16, end - begin) : 0);

    suppress_few(p, begin, i, threshold);
    for (; i + 16 <= end; i += 16) {
        const __m256i z = suppress16(_mm256_loadu_si256((const __m256i *)(p->x16 + i)), threshold);

        if (stream)
            _mm256_stream_si256((__m256i *)(p->z16 + i), z);
        else
            _mm256_storeu_si256((__m256i *)(p->z16 + i), z);
    }
    suppress_few(p, i, end, threshold);
}

/* The functions are arguments that the compiler knows here, so each gets a loop of its own. */
__attribute__((target("avx2,fma"))) static void range(const struct map *p, size_t begin, size_t end)
{
    const size_t bytes = p->n * (p->f == MAP_SUPPRESS ? sizeof *p->z16 : sizeof *p->z);
    const bool stream = bytes >= STREAM_FROM;

    if (p->f == MAP_TRIG)
        stream ? float_range(p, MAP_TRIG, begin, end, true) : float_range(p, MAP_TRIG, begin, end, false);
    else if (p->f == MAP_RELDIFF)
        stream ? float_range(p, MAP_RELDIFF, begin, end, true) : float_range(p, MAP_RELDIFF, begin, end, false);
    else
        stream ? suppress_range(p, begin, end, true) : suppress_range(p, begin, end, false);
    _mm_sfence(); /* streaming stores are not ordered with others: wait for them here */
}

static void prepare(const void *problem)
{
    (void)problem;
    windows_make(windows);
}

#endif
