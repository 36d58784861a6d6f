/* reduce: two totals in float64, how float32 runs are added to them, and the answer made of them. */
#ifndef RUNGS_REDUCE_TOTALS_H
#define RUNGS_REDUCE_TOTALS_H

#include <math.h>
#include <stdbool.h>

#include "common/reduce.h"

struct totals {
    double sum, squares;
};

static inline void totals_add(struct totals *to, const struct totals *more)
{
    to->sum += more->sum;
    to->squares += more->squares;
}

/* One number after the other, in float64: exact squares in any range. */
static inline struct totals totals_plain(const float *x, size_t n)
{
    struct totals t = {0.0, 0.0};

    for (size_t i = 0; i < n; i++) {
        t.sum += x[i];
        t.squares += (double)x[i] * x[i];
    }
    return t;
}

/* Whether squares in float32 can be trusted for a block of up to 2^14 numbers.  Above the range they are infinite or
   NaN.  Below it, a square loses at most 2^-150, so 2^14 of them lose 2^-136, which is nothing beside 2^-80. */
static inline bool totals_in_range(double squares)
{
    return squares >= 0x1p-80 && squares <= 0x1p120;
}

static inline void totals_answer(const struct reduce *p, const struct totals *t)
{
    *p->sum = (float)t->sum;
    *p->norm = (float)sqrt(t->squares);
}

#endif
