/* Two threads store whole vectors of eight.  The last one of the first part goes over the beginning of the second
   part.  The barrier makes this happen every time. */
/* expected: wrong: ^kept\[ */
#include <omp.h>

#include "common/compact.h"
#include "common/variant.h"

static size_t pack(const float *x, size_t n, float *to, const float *end)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i += 8) {
        float packed[8] = {0};
        size_t in = 0;

        for (size_t j = i; j < i + 8 && j < n; j++)
            if (x[j] == x[j])
                packed[in++] = x[j];
        for (size_t j = 0; j < 8 && to + count + j < end; j++)
            to[count + j] = packed[j];
        count += in;
    }
    return count;
}

static void run(const void *problem)
{
    const struct compact *p = problem;
    const size_t half = p->n / 2;
    const float *end = p->kept + p->n;
    size_t first = 0, second = 0;

    for (size_t i = 0; i < half; i++)
        first += p->x[i] == p->x[i];
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1)
            second = pack(p->x + half, p->n - half, p->kept + first, end);
#pragma omp barrier
        if (omp_get_thread_num() == 0)
            pack(p->x, half, p->kept, end);
    }
    *p->count = first + second;
}

VARIANT(.idea = "whole vectors", .run = run)
