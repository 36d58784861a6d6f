/* logreg: the gradient's sums over any number of rows, by the vectors of avx2.h or avx512.h, which is included before. */
#ifndef RUNGS_LOGREG_ROWS_H
#define RUNGS_LOGREG_ROWS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Rows that fill no vector. */
static inline void add_last_rows(size_t n, const float *x, const uint8_t *y, size_t count, const float *w, float intercept,
                                 double *sums)
{
    for (size_t i = 0; i < count; i++) {
        const float *row = x + i * n;
        double margin = (double)intercept;
        for (size_t j = 0; j < n; j++)
            margin += (double)row[j] * (double)w[j];
        const double residual = 1.0 / (1.0 + exp(-margin)) - y[i];
        for (size_t j = 0; j < n; j++)
            sums[j] += residual * (double)row[j];
        sums[n] += residual;
    }
}

/* Adds the shares of `count` rows to the sums. */
static inline void add_all_rows(size_t n, const float *x, const uint8_t *y, size_t count, const float *w, float intercept,
                                float *g, double *sums)
{
    const size_t whole = count / ROWS * ROWS;

    add_rows(n, x, y, whole, w, intercept, g, sums);
    add_last_rows(n, x + whole * n, y + whole, count - whole, w, intercept, sums);
}

#endif
