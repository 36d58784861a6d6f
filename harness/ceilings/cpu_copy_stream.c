/* A copy whose stores bypass the caches, so that the lines to be overwritten need not be read first. */
#define _GNU_SOURCE
#include <immintrin.h>

#define ARRAYS 2
#include "cpu_arrays.h"

static void copy(size_t n, const float *from, const float *unused, float *to)
{
    (void)unused;
    for (size_t i = 0; i < n; i += 4)
        _mm_stream_ps(to + i, _mm_load_ps(from + i));
    _mm_sfence();
}

static void run(const void *problem)
{
    sweep(problem, copy);
}

CEILING(RESOURCE_MEMORY, .idea = "copy by streaming stores", .prepare = prepare, .run = run,
        .release = release)
