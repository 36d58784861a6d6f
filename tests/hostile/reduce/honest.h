/* The honest method: used by the bystander, and by attacks where they must compute. */
#ifndef RUNGS_HOSTILE_REDUCE_H
#define RUNGS_HOSTILE_REDUCE_H

#include <math.h>

#include "common/reduce.h"
#include "common/variant.h"

static inline void honest(const struct reduce *p)
{
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < p->n; i++) {
        sum += p->x[i];
        squares += (double)p->x[i] * p->x[i];
    }
    *p->sum = (float)sum;
    *p->norm = (float)sqrt(squares);
}

#endif
