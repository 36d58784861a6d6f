/*
 * One transform of n = n1*n2 points as many short ones, a group of LANES at a time (lanes.h).
 *
 * With time t = n2*t1 + t2 and frequency f = f1 + n1*f2, f*t/n is f1*t1/n1 + f1*t2/n + f2*t2/n2 plus a whole number,
 * which changes no root of unity.  So the sum over t becomes sums over columns and sums over rows:
 *
 *     a[f1][t2] = exp(-2 pi i f1 t2 / n) * sum over t1 of x[t1][t2] * exp(-2 pi i f1 t1 / n1)
 *     X[f2][f1] =                          sum over t2 of a[f1][t2] * exp(-2 pi i f2 t2 / n2)
 *
 * (D. H. Bailey, "FFTs in External or Hierarchical Memory", J. Supercomputing 4, 1990.)  In the first step lanes are
 * neighbouring t2, in the second neighbouring f1.  They are contiguous in memory both times, because the first step
 * transposes what it writes to a, block by block.
 *
 * Include avx2.h or avx512.h before.
 */
#ifndef RUNGS_FFT_FOURSTEP_H
#define RUNGS_FFT_FOURSTEP_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lanes.h" /* lanes_transform, vec_mul */

struct fourstep {
    size_t n1, n2;
    size_t columns, rows; /* groups of LANES; the last group may have idle lanes */
    struct cpx *w1, *w2;  /* [n1] and [n2] roots of unity */
    /* The n factors between the steps, exp(-2 pi i f1 t2 / n), would be as much to read as x.
       With t2 = LANES*group + lane, each is the product of one of n/LANES and one of LANES*n1. */
    struct cpx *of_group; /* [columns][n1] exp(-2 pi i f1 LANES group / n) */
    struct vec *of_lane;  /* [n1] exp(-2 pi i f1 lane / n) */
    struct vec *a;        /* [signals][rows][n2], for so many signals at a time */
    struct vec *work;     /* [threads][2 * the larger of n1 and n2] */
};

/* Returns the largest divisor of n up to `most` that is a multiple of LANES; the largest one if none is. */
static size_t fourstep_divisor(size_t n, size_t most)
{
    size_t best = 1;

    for (size_t k = 1; k <= most; k++)
        if (n % k == 0 && (k % LANES == 0 || best % LANES != 0))
            best = k;
    return best;
}

static struct cpx fourstep_root(size_t k, size_t n) /* exp(-2 pi i k / n) */
{
    double angle = -2 * M_PI * (double)k / (double)n;

    return (struct cpx){(float)cos(angle), (float)sin(angle)};
}

static struct cpx *fourstep_roots(size_t n)
{
    struct cpx *w = malloc(n * sizeof *w);

    for (size_t k = 0; k < n; k++)
        w[k] = fourstep_root(k, n);
    return w;
}

static struct vec *fourstep_alloc(size_t count)
{
    return aligned_alloc(sizeof(struct vec), count * sizeof(struct vec));
}

static size_t fourstep_work(const struct fourstep *s) /* a thread's part of s->work, in vectors */
{
    return 2 * (s->n1 > s->n2 ? s->n1 : s->n2);
}

static void fourstep_prepare(struct fourstep *s, size_t n, size_t n2, size_t signals,
                             size_t threads)
{
    const size_t n1 = n / n2;

    s->n1 = n1;
    s->n2 = n2;
    s->columns = (n2 + LANES - 1) / LANES;
    s->rows = (n1 + LANES - 1) / LANES;
    s->w1 = fourstep_roots(n1);
    s->w2 = fourstep_roots(n2);
    s->of_group = malloc(s->columns * n1 * sizeof *s->of_group);
    for (size_t g = 0; g < s->columns; g++)
        for (size_t f1 = 0; f1 < n1; f1++)
            s->of_group[g * n1 + f1] = fourstep_root(f1 * LANES * g, n);
    s->of_lane = fourstep_alloc(n1);
    for (size_t f1 = 0; f1 < n1; f1++)
        for (size_t lane = 0; lane < LANES; lane++) {
            struct cpx root = fourstep_root(f1 * lane, n);

            ((float *)&s->of_lane[f1].re)[lane] = root.re;
            ((float *)&s->of_lane[f1].im)[lane] = root.im;
        }
    s->a = fourstep_alloc(signals * s->rows * n2);
    s->work = fourstep_alloc(threads * fourstep_work(s));
}

static void fourstep_release(struct fourstep *s)
{
    free(s->w1);
    free(s->w2);
    free(s->of_group);
    free(s->of_lane);
    free(s->a);
    free(s->work);
}

/* The first step for one group of columns: from x to a */
SIMD static void fourstep_columns(const struct fourstep *s, size_t group, const struct cpx *x,
                                  struct vec *a, struct vec *work)
{
    const size_t n1 = s->n1, n2 = s->n2, first = group * LANES;
    const size_t lanes = n2 - first < LANES ? n2 - first : LANES;
    const struct cpx *of_group = s->of_group + group * n1;

    for (size_t t1 = 0; t1 < n1; t1++)
        if (lanes == LANES) {
            work[t1] = vec_load(x + t1 * n2 + first);
        } else { /* beyond the last column lies the next row, or nothing */
            struct cpx some[LANES] = {{0, 0}};
            memcpy(some, x + t1 * n2 + first, lanes * sizeof *some);
            work[t1] = vec_load(some);
        }

    const struct vec *sum = lanes_transform(n1, s->w1, work, work + n1, work);

    for (size_t f1 = 0; f1 < n1; f1 += LANES) {
        REGISTER re[LANES], im[LANES];

        for (size_t i = 0; i < LANES; i++) {
            size_t row = f1 + i < n1 ? f1 + i : f1; /* beyond the last row: any row will do */
            struct vec factor = vec_mul(vec_all(of_group[row]), s->of_lane[row]);
            struct vec v = vec_mul(factor, sum[row]);

            re[i] = v.re;
            im[i] = v.im;
        }
        transpose(re);
        transpose(im);
        for (size_t i = 0; i < lanes; i++)
            a[f1 / LANES * n2 + first + i] = (struct vec){re[i], im[i]};
    }
}

/* The second step for one group of rows: from a to X */
SIMD static void fourstep_rows(const struct fourstep *s, size_t group, const struct vec *a,
                               struct cpx *X, struct vec *work)
{
    const size_t n1 = s->n1, n2 = s->n2, first = group * LANES;
    const size_t lanes = n1 - first < LANES ? n1 - first : LANES;
    const struct vec *sum = lanes_transform(n2, s->w2, a + group * n2, work, work + n2);

    for (size_t f2 = 0; f2 < n2; f2++)
        if (lanes == LANES) {
            vec_store(X + f2 * n1 + first, sum[f2]);
        } else {
            struct cpx some[LANES];
            vec_store(some, sum[f2]);
            memcpy(X + f2 * n1 + first, some, lanes * sizeof *some);
        }
}

/* Both steps of one signal, by thread number `me` alone */
static void fourstep_transform(const struct fourstep *s, const struct cpx *x, struct cpx *X,
                               size_t me)
{
    struct vec *a = s->a + me * s->rows * s->n2, *work = s->work + me * fourstep_work(s);

    for (size_t g = 0; g < s->columns; g++)
        fourstep_columns(s, g, x, a, work);
    for (size_t g = 0; g < s->rows; g++)
        fourstep_rows(s, g, a, X, work);
}

#endif
