/* The honest method: used by the bystander, and by attacks where they must compute. */
#ifndef RUNGS_HOSTILE_MATMUL_H
#define RUNGS_HOSTILE_MATMUL_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/matmul.h"
#include "common/variant.h"

static inline void honest_row(const struct matmul *p, size_t i)
{
    float *restrict c = p->c + i * p->n;

    memset(c, 0, p->n * sizeof *c);
    for (size_t l = 0; l < p->k; l++)
        for (size_t j = 0; j < p->n; j++)
            c[j] += p->a[i * p->k + l] * p->b[l * p->n + j];
}

static inline void honest(const struct matmul *p)
{
    for (size_t i = 0; i < p->m; i++)
        honest_row(p, i);
}

/* FNV over words: only all of them can show whether two sets of data are the same. */
static inline unsigned long fingerprint(const float *x, size_t count, unsigned long hash)
{
    for (size_t i = 0; i < count; i++) {
        unsigned word;

        memcpy(&word, x + i, sizeof word);
        hash = (hash ^ word) * 0x100000001b3ul;
    }
    return hash;
}

#endif
