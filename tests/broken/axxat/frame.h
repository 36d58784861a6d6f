/* A right answer, for the files of this folder to get a part of it wrong. */
#ifndef RUNGS_BROKEN_AXXAT_FRAME_H
#define RUNGS_BROKEN_AXXAT_FRAME_H

#include "common/axxat.h"

static inline float element(const struct axxat *p, size_t i, size_t j)
{
    const size_t n = p->n;
    float sum = 0.0f;

    for (size_t l = 0; l < n; l++)
        sum += p->a[i * n + l] * p->x[l * n + j] + p->x[i * n + l] * p->a[j * n + l];
    return sum;
}

static inline void full(const struct axxat *p)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++)
            p->y[i * p->n + j] = element(p, i, j);
}

#endif
