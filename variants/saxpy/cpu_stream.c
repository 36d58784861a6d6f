/*
 * saxpy / cpu_stream
 *
 * Idea     All cores, and streaming stores: they write z to memory without reading its cache lines
 *          first.
 * Against  cpu_openmp, whose stores are ordinary.  (cpu_simd streams from one core.)
 * Expect   Up to a third faster: 12 bytes moved per element instead of 16, at the rate at which
 *          this machine copies memory.  Below STREAM_FROM the same as cpu_openmp.  Each free core
 *          takes the next chunk, so a core that other processes slow down delays one chunk and not
 *          the whole run.
 * Try      --threads 1,2,4: how few cores keep the memory busy?  Then schedule(static) for the
 *          chunks, while something else runs on the machine.
 * Level    2
 * Read     nothing else
 */
#include <immintrin.h>
#include <stdint.h>

#include "common/saxpy.h"
#include "common/variant.h"

enum {
    STREAM_FROM = 16 << 20, /* bytes of z; with x and y, more than most last-level caches keep */
    THREADS_FROM = 1 << 15, /* elements; fewer take less time than starting the threads */
    CHUNK = 1 << 18         /* elements that a free core takes at a time: some 50 us */
};

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? NULL
                                                                           : "needs AVX2 and FMA";
}

/* z[i] for first <= i < last, past the caches */
__attribute__((target("avx2,fma"))) static void saxpy_streamed(const struct saxpy *p, size_t first,
                                                               size_t last)
{
    __m256 a = _mm256_set1_ps(p->a);
    size_t i = first;

    /* A streaming store needs an aligned address, and whole 64-byte lines to be worth it. */
    for (; i < last && (uintptr_t)(p->z + i) % 64 != 0; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    for (; i + 16 <= last; i += 16) {
        __m256 x0 = _mm256_loadu_ps(p->x + i), x1 = _mm256_loadu_ps(p->x + i + 8);
        __m256 y0 = _mm256_loadu_ps(p->y + i), y1 = _mm256_loadu_ps(p->y + i + 8);
        _mm256_stream_ps(p->z + i, _mm256_fmadd_ps(a, x0, y0));
        _mm256_stream_ps(p->z + i + 8, _mm256_fmadd_ps(a, x1, y1));
    }
    for (; i < last; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    _mm_sfence(); /* streaming stores are not ordered with others: wait for them here */
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    if (p->n * sizeof *p->z < STREAM_FROM) {
#pragma omp parallel for schedule(static) if (p->n >= THREADS_FROM)
        for (size_t i = 0; i < p->n; i++)
            p->z[i] = p->a * p->x[i] + p->y[i];
    } else {
#pragma omp parallel
        {
#pragma omp for schedule(dynamic) nowait
            for (size_t first = 0; first < p->n; first += CHUNK)
                saxpy_streamed(p, first, p->n - first < CHUNK ? p->n : first + CHUNK);
        }
    }
}

VARIANT(.idea = "all cores, streaming stores",
        .base = "cpu_openmp",
        .refuse = refuse,
        .run = run)
