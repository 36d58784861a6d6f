/* A right product in parts, for the files of this folder to get one of them wrong. */
#ifndef RUNGS_BROKEN_MATMUL_FRAME_H
#define RUNGS_BROKEN_MATMUL_FRAME_H

#include <stdbool.h>
#include <string.h>

#include "common/matmul.h"

/* So large that the judge does not compare each element. */
static inline bool is_large(const struct matmul *p)
{
    return p->m > 300 && p->n > 300;
}

static inline float as_it_is(float value)
{
    return value;
}

/* Row by row; of inputs as the given function makes them. */
static inline void multiply(const struct matmul *p, float (*input)(float))
{
    for (size_t i = 0; i < p->m; i++) {
        float *c = p->c + i * p->n;

        memset(c, 0, p->n * sizeof *c);
        for (size_t l = 0; l < p->k; l++) {
            const float a = input(p->a[i * p->k + l]);
            for (size_t j = 0; j < p->n; j++)
                c[j] += a * input(p->b[l * p->n + j]);
        }
    }
}

#endif
