/*
 * Phase correlation that makes use of what real images save, in three steps.  cpu_real has its idea; cpu_blocked and
 * cpu_openmp take several columns at a time, and all cores.
 *
 *     real_rows      rows of a + ib.  Row r of a has the spectrum A[v] = (Z[v] + conj Z[-v]) / 2, that of b B[v] =
 *                    (Z[v] - conj Z[-v]) / 2i.  Both are conjugate at -v, so that cols/2 + 1 of them are enough.
 *     real_columns   columns of A and B, R, and columns of conj R
 *     real_back      rows: two real ones are one complex one, K1 - i K2, where K are the columns of conj R
 *     real_peak      what the problem asks, from g
 */
#ifndef RUNGS_ALIGN_REAL_H
#define RUNGS_ALIGN_REAL_H

#include <math.h>
#include <stdlib.h>

#include "common/align.h"
#include "spectrum.h" /* struct cpx, roots, transform */

struct real {
    size_t rows, cols, half;        /* half: columns of a spectrum, cols/2 + 1 */
    struct cpx *of_rows, *of_cols;  /* roots of unity */
    struct cpx *A, *B;              /* [rows][half]; A becomes K */
    float *g;                       /* [rows][cols] */
    size_t numbers;                 /* of a thread's part of `lines` */
    struct cpx *lines;              /* [threads][numbers] */
};

/* wide: columns that real_columns takes at a time */
static inline void real_prepare(struct real *s, const struct align *p, size_t wide, size_t threads)
{
    const size_t longer = p->rows > p->cols ? p->rows : p->cols;

    s->rows = p->rows;
    s->cols = p->cols;
    s->half = p->cols / 2 + 1;
    s->of_rows = roots(p->rows);
    s->of_cols = roots(p->cols);
    s->A = malloc(s->rows * s->half * sizeof *s->A);
    s->B = malloc(s->rows * s->half * sizeof *s->B);
    s->g = malloc(s->rows * s->cols * sizeof *s->g);
    s->numbers = 2 * wide * s->rows + 2 * longer;
    s->lines = malloc(threads * s->numbers * sizeof *s->lines);
}

static inline void real_release(struct real *s)
{
    free(s->of_rows);
    free(s->of_cols);
    free(s->A);
    free(s->B);
    free(s->g);
    free(s->lines);
}

static inline void real_row(const struct real *s, const float *a, const float *b, size_t r, struct cpx *line)
{
    struct cpx *z = line, *Z = line + s->cols;

    for (size_t c = 0; c < s->cols; c++)
        z[c] = (struct cpx){a[r * s->cols + c], b[r * s->cols + c]};
    transform(s->cols, 1, s->of_cols, z, 1, Z);
    for (size_t v = 0; v < s->half; v++) {
        const struct cpx here = Z[v], there = Z[v == 0 ? 0 : s->cols - v];

        s->A[r * s->half + v] = (struct cpx){(here.re + there.re) / 2, (here.im - there.im) / 2};
        s->B[r * s->half + v] = (struct cpx){(here.im + there.im) / 2, (there.re - here.re) / 2};
    }
}

/* Columns v to v + wide - 1, as far as there are any.  They are copied to lines of their own, so that each cache line of
   A and B is fetched once for all of them. */
static inline void real_columns(const struct real *s, size_t v, size_t wide, float eps, struct cpx *line)
{
    const size_t rows = s->rows, width = s->half - v < wide ? s->half - v : wide;
    struct cpx *a = line, *b = a + wide * rows, *X = b + wide * rows, *Y = X + rows;

    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < width; i++) {
            a[i * rows + r] = s->A[r * s->half + v + i];
            b[i * rows + r] = s->B[r * s->half + v + i];
        }
    for (size_t i = 0; i < width; i++) {
        transform(rows, 1, s->of_rows, a + i * rows, 1, X);
        transform(rows, 1, s->of_rows, b + i * rows, 1, Y);
        for (size_t u = 0; u < rows; u++)
            X[u] = cross_power(X[u], Y[u], eps);
        transform(rows, 1, s->of_rows, X, 1, a + i * rows);
    }
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < width; i++)
            s->A[r * s->half + v + i] = a[i * rows + r];
}

/* Rows r and r + 1; where there is no second one, the first in its place */
static inline void real_back(const struct real *s, size_t r, struct cpx *line)
{
    const size_t second = r + 1 < s->rows ? r + 1 : r, cols = s->cols;
    const struct cpx *one = s->A + r * s->half, *two = s->A + second * s->half;
    const float n = (float)(s->rows * s->cols);
    struct cpx *F = line, *X = line + cols;

    for (size_t v = 0; v < s->half; v++) {
        if (v > 0)
            F[cols - v] = (struct cpx){one[v].re - two[v].im, -one[v].im - two[v].re};
        F[v] = (struct cpx){one[v].re + two[v].im, one[v].im - two[v].re};
    }
    transform(cols, 1, s->of_cols, F, 1, X);
    for (size_t c = 0; c < cols; c++) {
        s->g[r * cols + c] = fabsf(X[c].re) / n;
        s->g[second * cols + c] = fabsf(second == r ? X[c].re : X[c].im) / n;
    }
}

static inline void real_peak(const struct real *s, const struct align *p, size_t pair)
{
    const size_t rows = s->rows, cols = s->cols;
    size_t peak = 0;

    for (size_t i = 1; i < rows * cols; i++)
        if (s->g[i] > s->g[peak])
            peak = i;

    const size_t r = peak / cols, c = peak % cols;
    const float *g = s->g;

    p->peak[pair] = (uint32_t)peak;
    p->height[pair] = g[peak];
    p->shift[2 * pair] = shift_of(r, rows, g[(r + rows - 1) % rows * cols + c], g[peak], g[(r + 1) % rows * cols + c]);
    p->shift[2 * pair + 1] = shift_of(c, cols, g[r * cols + (c + cols - 1) % cols], g[peak], g[r * cols + (c + 1) % cols]);
}

#endif
