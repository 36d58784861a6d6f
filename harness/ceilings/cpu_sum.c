/* The sum of two arrays into a third: two bytes read for one written, as in most problems here. */
#define _GNU_SOURCE
#include "widths.h"

#define ARRAYS 3
#include "cpu_arrays.h"

#define DEFINE(bytes, attribute)                                                                   \
    attribute static void sum_##bytes(size_t n, const float *a, const float *b, float *c)          \
    {                                                                                              \
        typedef float lanes __attribute__((vector_size(bytes), may_alias));                      \
        for (size_t i = 0; i < n; i += sizeof(lanes) / sizeof(float))                              \
            *(lanes *)(c + i) = *(const lanes *)(a + i) + *(const lanes *)(b + i);                 \
    }
FOR_WIDTHS(DEFINE)

static void run(const void *problem)
{
    sweep(problem, FOR_WIDEST(sum));
}

CEILING(RESOURCE_MEMORY, .idea = "sum of two arrays, by the widest vectors", .prepare = prepare,
        .run = run, .release = release)
