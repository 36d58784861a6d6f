/*
 * One transform of n = n1*n2 points as many short ones, eight at a time (lanes.h).
 *
 * Time t = n2*t1 + t2 and frequency f = f1 + n1*f2.  Then f*t/n = f1*t1/n1 + f1*t2/n + f2*t2/n2,
 * but for a whole number, and the sum over t falls apart:
 *
 *     columns   a[f1][t2] = exp(-2 pi i f1 t2 / n) * sum over t1 of x[t1][t2] exp(-2 pi i f1 t1 / n1)
 *     rows      X[f2][f1] = sum over t2 of a[f1][t2] exp(-2 pi i f2 t2 / n2)
 *
 * (D. H. Bailey, "FFTs in External or Hierarchical Memory", J. Supercomputing 4, 1990.)  The lanes
 * of the first step are neighbours in t2, those of the second in f1: both find their lanes side by
 * side in memory, because a is turned, eight by eight, when the first step writes it.
 */
#ifndef RUNGS_FFT_FOURSTEP_H
#define RUNGS_FFT_FOURSTEP_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lanes.h" /* struct vec, lanes_transform, vec_load, vec_store, transpose */

struct fourstep {
    size_t n1, n2;
    struct cpx *w1, *w2; /* [n1] and [n2] roots of unity */
    /* The n factors between the steps, exp(-2 pi i f1 t2 / n), would be as much to read as x.
       With t2 = LANES*group + lane they are products of two that are fewer: */
    struct cpx *of_group; /* [groups of n2][n1] exp(-2 pi i f1 LANES group / n) */
    struct vec *of_lane;  /* [n1] exp(-2 pi i f1 lane / n) */
};

static size_t fourstep_groups(size_t count) /* of eight lanes, the last perhaps not full */
{
    return (count + LANES - 1) / LANES;
}

static size_t fourstep_a(const struct fourstep *t) /* length of a, in vec */
{
    return fourstep_groups(t->n1) * t->n2;
}

static size_t fourstep_work(const struct fourstep *t) /* length of work, in vec */
{
    return 2 * (t->n1 > t->n2 ? t->n1 : t->n2);
}

static struct cpx fourstep_root(size_t k, size_t n) /* exp(-2 pi i k / n) */
{
    double angle = -2 * M_PI * (double)k / (double)n;

    return (struct cpx){(float)cos(angle), (float)sin(angle)};
}

static struct vec *fourstep_alloc(size_t count)
{
    return aligned_alloc(sizeof(struct vec), count * sizeof(struct vec));
}

static void fourstep_prepare(struct fourstep *t, size_t n1, size_t n2)
{
    const size_t n = n1 * n2, groups = fourstep_groups(n2);

    *t = (struct fourstep){.n1 = n1, .n2 = n2};
    t->w1 = malloc(n1 * sizeof *t->w1);
    for (size_t k = 0; k < n1; k++)
        t->w1[k] = fourstep_root(k, n1);
    t->w2 = malloc(n2 * sizeof *t->w2);
    for (size_t k = 0; k < n2; k++)
        t->w2[k] = fourstep_root(k, n2);
    t->of_group = malloc(groups * n1 * sizeof *t->of_group);
    for (size_t g = 0; g < groups; g++)
        for (size_t f1 = 0; f1 < n1; f1++)
            t->of_group[g * n1 + f1] = fourstep_root(f1 * LANES * g, n);
    t->of_lane = fourstep_alloc(n1);
    for (size_t f1 = 0; f1 < n1; f1++) {
        float *re = (float *)&t->of_lane[f1].re, *im = (float *)&t->of_lane[f1].im;

        for (size_t lane = 0; lane < LANES; lane++) {
            struct cpx root = fourstep_root(f1 * lane, n);
            re[lane] = root.re;
            im[lane] = root.im;
        }
    }
}

static void fourstep_release(struct fourstep *t)
{
    free(t->w1);
    free(t->w2);
    free(t->of_group);
    free(t->of_lane);
}

/* The first step for one group of columns: from x to a */
AVX2 static void fourstep_columns(const struct fourstep *t, size_t group, const struct cpx *x,
                                  struct vec *a, struct vec *work)
{
    const size_t n1 = t->n1, n2 = t->n2, left = n2 - group * LANES;
    const size_t lanes = left < LANES ? left : LANES;
    struct vec *in = work; /* [n1] */

    x += group * LANES;
    for (size_t t1 = 0; t1 < n1; t1++)
        if (lanes == LANES) {
            in[t1] = vec_load(x + t1 * n2);
        } else { /* beyond the last column lies the next row, or nothing */
            struct cpx some[LANES] = {{0, 0}};
            memcpy(some, x + t1 * n2, lanes * sizeof *some);
            in[t1] = vec_load(some);
        }

    const struct vec *sum = lanes_transform(n1, t->w1, in, work + n1, in);
    const struct cpx *of_group = t->of_group + group * n1;

    for (size_t f1 = 0; f1 < n1; f1 += LANES) {
        __m256 re[LANES] = {{0}}, im[LANES] = {{0}};

        for (size_t i = 0; i < LANES && f1 + i < n1; i++) {
            struct vec v = vec_mul(vec_all(of_group[f1 + i]), t->of_lane[f1 + i]);
            v = vec_mul(v, sum[f1 + i]);
            re[i] = v.re;
            im[i] = v.im;
        }
        transpose(re);
        transpose(im);
        for (size_t i = 0; i < lanes; i++)
            a[f1 / LANES * n2 + group * LANES + i] = (struct vec){re[i], im[i]};
    }
}

/* The second step for one group of rows: from a to X */
AVX2 static void fourstep_rows(const struct fourstep *t, size_t group, const struct vec *a,
                               struct cpx *X, struct vec *work)
{
    const size_t n1 = t->n1, n2 = t->n2, left = n1 - group * LANES;
    const size_t lanes = left < LANES ? left : LANES;
    const struct vec *sum = lanes_transform(n2, t->w2, a + group * n2, work, work + n2);

    X += group * LANES;
    for (size_t f2 = 0; f2 < n2; f2++)
        if (lanes == LANES) {
            vec_store(X + f2 * n1, sum[f2]);
        } else {
            struct cpx some[LANES];
            vec_store(some, sum[f2]);
            memcpy(X + f2 * n1, some, lanes * sizeof *some);
        }
}

#endif
