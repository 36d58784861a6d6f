/*
 * A right phase correlation in double precision, for the files of this folder to get a part of it wrong: each macro is a
 * step, and a file defines its own before it includes this header.
 */
#ifndef RUNGS_BROKEN_ALIGN_FRAME_H
#define RUNGS_BROKEN_ALIGN_FRAME_H

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "common/align.h"

#ifndef CROSS /* R of one bin */
#define CROSS(A, B, eps) ((A)*conj(B) / (cabs(A) * cabs(B) + (eps)))
#endif
#ifndef HIGH /* g from the inverse transform */
#define HIGH(x, n) (cabs(x) / (double)(n))
#endif
#ifndef SEARCHED /* rows in which the peak is looked for */
#define SEARCHED(rows) (rows)
#endif
#ifndef KEPT /* columns of the spectrum that count */
#define KEPT(col, cols) 1
#endif
#ifndef WHOLE /* the shift of a place */
#define WHOLE(at, length) (2 * (at) > (length) ? (double)(at) - (double)(length) : (double)(at))
#endif
#ifndef PARABOLA /* whether there is one at this place */
#define PARABOLA(at, length) 1
#endif
#ifndef USED /* rows of an image that are looked at */
#define USED(rows) (rows)
#endif

/* Transforms n numbers of x, `step` apart, to X.  w: roots of unity, those of n are `turn` apart. */
static inline void line(const double complex *x, size_t n, size_t step, const double complex *w, size_t turn,
                        double complex *X)
{
    const size_t m = n / 2;

    if (n % 2 == 0) { /* by halves */
        line(x, m, 2 * step, w, 2 * turn, X);
        line(x + step, m, 2 * step, w, 2 * turn, X + m);
        for (size_t f = 0; f < m; f++) {
            const double complex even = X[f], odd = w[f * turn] * X[m + f];

            X[f] = even + odd;
            X[m + f] = even - odd;
        }
        return;
    }
    for (size_t f = 0; f < n; f++) { /* by the definition */
        X[f] = 0.0;
        for (size_t t = 0, k = 0; t < n; t++) {
            X[f] += x[t * step] * w[k * turn];
            k = k + f < n ? k + f : k + f - n;
        }
    }
}

/* `count` lines of n numbers, `step` apart; neighbouring lines are `next` apart. */
static inline void lines(double complex *x, size_t count, size_t next, size_t n, size_t step)
{
    double complex *w = malloc(2 * n * sizeof *w);

    for (size_t k = 0; k < n; k++)
        w[k] = cexp(CMPLX(0.0, -2.0 * 3.14159265358979323846 * (double)k / (double)n));
    for (size_t i = 0; i < count; i++) {
        line(x + i * next, n, step, w, 1, w + n);
        for (size_t f = 0; f < n; f++)
            x[i * next + f * step] = w[n + f];
    }
    free(w);
}

static inline void transform(double complex *x, size_t rows, size_t cols)
{
    lines(x, rows, cols, cols, 1);
    lines(x, cols, 1, rows, cols);
}

/* The peak of a surface, from `best` on, which is 0 for a right answer. */
static inline size_t peak_of(const double *g, size_t count, double best)
{
    size_t peak = 0;

    for (size_t i = 0; i < count; i++)
        if (g[i] > best) {
            best = g[i];
            peak = i;
        }
    return peak;
}

static inline double shift_of(size_t at, size_t length, double before, double here, double after)
{
    const double curve = before - 2.0 * here + after;

    return WHOLE(at, length) +
           (curve < 0.0 && PARABOLA(at, length) ? fmax(-0.5, fmin(0.5, (before - after) / (2.0 * curve))) : 0.0);
}

/* g of one pair, for free() */
static inline double *surface(const struct align *p, size_t pair)
{
    const size_t rows = p->rows, cols = p->cols, n = rows * cols;
    double complex *A = calloc(2 * n, sizeof *A), *B = A + n;
    double *g = malloc(n * sizeof *g);

    for (size_t i = 0; i < USED(rows) * cols; i++) {
        A[i] = p->a[pair * n + i];
        B[i] = p->b[pair * n + i];
    }
    transform(A, rows, cols);
    transform(B, rows, cols);
    for (size_t i = 0; i < n; i++)
        A[i] = KEPT(i % cols, cols) ? conj(CROSS(A[i], B[i], (double)p->eps[pair])) : 0.0;
    transform(A, rows, cols);
    for (size_t i = 0; i < n; i++)
        g[i] = HIGH(conj(A[i]), n);
    free(A);
    return g;
}

static inline void answer(const struct align *p, size_t pair, const double *g, size_t peak)
{
    const size_t rows = p->rows, cols = p->cols, r = peak / cols, c = peak % cols;

    p->peak[pair] = (uint32_t)peak;
    p->height[pair] = (float)g[peak];
    p->shift[2 * pair] =
        (float)shift_of(r, rows, g[(r + rows - 1) % rows * cols + c], g[peak], g[(r + 1) % rows * cols + c]);
    p->shift[2 * pair + 1] =
        (float)shift_of(c, cols, g[r * cols + (c + cols - 1) % cols], g[peak], g[r * cols + (c + 1) % cols]);
}

static inline void align_pair(const struct align *p, size_t pair)
{
    double *g = surface(p, pair);

    answer(p, pair, g, peak_of(g, SEARCHED(p->rows) * p->cols, 0.0));
    free(g);
}

static inline void align_all(const struct align *p)
{
    for (size_t pair = 0; pair < p->pairs; pair++)
        align_pair(p, pair);
}

#endif
