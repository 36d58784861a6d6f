/*
 * align / cpu_naive
 *
 * Idea     The formula, step by step: transform a, transform b, combine them bin by bin, transform back, look for the
 *          highest value.  A two-dimensional transform is one of each row, then one of each column.
 * Against  Nothing; this is the first variant.
 * Expect   Bound by arithmetic while an image fits in a cache.  Beyond that the columns take most of the time: each of
 *          their numbers lies in another cache line.
 * Try      rows and cols of 1024 and 1000, 2048 and 2000: columns that are a power of two bytes apart share few lines of
 *          each cache.
 * Level    1
 * Read     nothing else
 */
#include <math.h>
#include <stdlib.h>

#include "common/align.h"
#include "common/variant.h"

struct cpx {
    float re, im;
};

static struct cpx *of_rows, *of_cols; /* [rows] and [cols] roots of unity: w[k] = exp(-2 pi i k / n) */
static struct cpx *A, *B;             /* [rows][cols] */
static struct cpx *line;              /* [2][the longer axis] */

static struct cpx *roots(size_t n)
{
    struct cpx *w = malloc(n * sizeof *w);

    for (size_t k = 0; k < n; k++) {
        const double angle = -2 * M_PI * (double)k / (double)n; /* in float, its error would show */
        w[k] = (struct cpx){(float)cos(angle), (float)sin(angle)};
    }
    return w;
}

static void prepare(const void *problem)
{
    const struct align *p = problem;

    of_rows = roots(p->rows);
    of_cols = roots(p->cols);
    A = malloc(p->rows * p->cols * sizeof *A);
    B = malloc(p->rows * p->cols * sizeof *B);
    line = malloc(2 * (p->rows > p->cols ? p->rows : p->cols) * sizeof *line);
}

static inline struct cpx add(struct cpx x, struct cpx y)
{
    return (struct cpx){x.re + y.re, x.im + y.im};
}

static inline struct cpx mul(struct cpx x, struct cpx y)
{
    return (struct cpx){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

/* Transforms n numbers of x, `step` apart, to X.  n = r*m: the transforms of every r-th number, m of them each, are
   joined by the definition of a transform of r numbers.  w: [n * turn] roots of unity. */
static void transform(size_t n, size_t turn, const struct cpx *w, const struct cpx *x, size_t step, struct cpx *X)
{
    size_t r = 2;

    if (n == 1) {
        X[0] = x[0];
        return;
    }
    while (n % r != 0)
        r++;

    const size_t m = n / r;

    for (size_t k = 0; k < r; k++)
        transform(m, turn * r, w, x + k * step, step * r, X + k * m);
    for (size_t f = 0; f < m; f++) {
        struct cpx part[7], sum;

        for (size_t k = 0; k < r; k++)
            part[k] = mul(X[k * m + f], w[k * f * turn]);
        for (size_t j = 0; j < r; j++) {
            sum = part[0];
            for (size_t k = 1; k < r; k++)
                sum = add(sum, mul(part[k], w[j * k % r * m * turn]));
            X[j * m + f] = sum;
        }
    }
}

static void transform_image(const struct align *p, struct cpx *X)
{
    const size_t rows = p->rows, cols = p->cols;

    for (size_t r = 0; r < rows; r++) {
        transform(cols, 1, of_cols, X + r * cols, 1, line);
        for (size_t c = 0; c < cols; c++)
            X[r * cols + c] = line[c];
    }
    for (size_t c = 0; c < cols; c++) {
        transform(rows, 1, of_rows, X + c, cols, line);
        for (size_t r = 0; r < rows; r++)
            X[r * cols + c] = line[r];
    }
}

/* A becomes the conjugate of R: its forward transform is the conjugate of R's inverse one, whose size is what is asked. */
static void combine(size_t n, float eps)
{
    for (size_t k = 0; k < n; k++) {
        const struct cpx a = A[k], b = B[k];
        const float size = sqrtf(a.re * a.re + a.im * a.im) * sqrtf(b.re * b.re + b.im * b.im) + eps;

        A[k].re = (a.re * b.re + a.im * b.im) / size;
        A[k].im = (a.re * b.im - a.im * b.re) / size;
    }
}

static float g(const struct align *p, size_t row, size_t col)
{
    const struct cpx x = A[row * p->cols + col];

    return sqrtf(x.re * x.re + x.im * x.im) / (float)(p->rows * p->cols);
}

/* Returns the shift along one axis from the peak's place and the values before, at and after it. */
static float shift_of(size_t at, size_t length, float before, float here, float after)
{
    const float whole = 2 * at > length ? -(float)(length - at) : (float)at;
    const float curve = before - 2 * here + after;

    if (!(curve < 0))
        return whole;
    return whole + fminf(0.5f, fmaxf(-0.5f, (before - after) / (2 * curve)));
}

static void find_peak(const struct align *p, size_t pair)
{
    const size_t rows = p->rows, cols = p->cols;
    size_t row = 0, col = 0;

    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < cols; c++)
            if (g(p, r, c) > g(p, row, col)) {
                row = r;
                col = c;
            }
    p->peak[pair] = (uint32_t)(row * cols + col);
    p->height[pair] = g(p, row, col);

    const size_t above = row > 0 ? row - 1 : rows - 1, below = row + 1 < rows ? row + 1 : 0;
    const size_t left = col > 0 ? col - 1 : cols - 1, right = col + 1 < cols ? col + 1 : 0;

    p->shift[2 * pair] = shift_of(row, rows, g(p, above, col), g(p, row, col), g(p, below, col));
    p->shift[2 * pair + 1] = shift_of(col, cols, g(p, row, left), g(p, row, col), g(p, row, right));
}

static void run(const void *problem)
{
    const struct align *p = problem;
    const size_t n = p->rows * p->cols;

    for (size_t pair = 0; pair < p->pairs; pair++) {
        for (size_t i = 0; i < n; i++) {
            A[i] = (struct cpx){p->a[pair * n + i], 0};
            B[i] = (struct cpx){p->b[pair * n + i], 0};
        }
        transform_image(p, A);
        transform_image(p, B);
        combine(n, p->eps[pair]);
        transform_image(p, A);
        find_peak(p, pair);
    }
}

static void release(void)
{
    free(of_rows);
    free(of_cols);
    free(A);
    free(B);
    free(line);
}

VARIANT(.idea = "the formula, step by step",
        .prepare = prepare,
        .run = run,
        .release = release)
