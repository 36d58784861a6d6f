/* The sum of two arrays into a third, with stores that bypass the caches. */
#define _GNU_SOURCE
#include <immintrin.h>

#define ARRAYS 3
#include "cpu_arrays.h"

static void sum(size_t n, const float *a, const float *b, float *c)
{
    for (size_t i = 0; i < n; i += 4)
        _mm_stream_ps(c + i, _mm_add_ps(_mm_load_ps(a + i), _mm_load_ps(b + i)));
    _mm_sfence();
}

static void run(const void *problem)
{
    sweep(problem, sum);
}

CEILING(RESOURCE_MEMORY, .idea = "sum by streaming stores", .prepare = prepare, .run = run,
        .release = release)
