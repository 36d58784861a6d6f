/*
 * Transforms of any length n >= 2 on the machinery of lanes.h: a convolution with a chirp.
 *
 * With 2 f t = f^2 + t^2 - (f - t)^2 and the chirp c[t] = exp(-pi i t^2 / n),
 *
 *     X[f] = c[f] * sum over t of (x[t] c[t]) * conj(c[f - t])
 *
 * (L. I. Bluestein, "A linear filtering approach to the computation of discrete Fourier transform", 1970.)  The sum is a
 * circular convolution of m >= 2n - 1 points: a transform of m = n1*n2 points, a product, and an inverse transform.  Each
 * transform takes two steps, as in fourstep.h, and the steps in the middle meet in one:
 *
 *     columns   x times c    -> n1 points, turned   -> a      LANES columns at a time, transposed
 *     middle    a            -> n2 points, times b,
 *                               n2 points, turned   -> a2     LANES rows at a time, transposed
 *     back      a2           -> n1 points, times c  -> X
 *
 * The inverse transform is the conjugate of the transform of the conjugate.  b is the transform of conj(c), in the order of a.
 *
 * Include avx2.h or avx512.h before.
 */
#ifndef RUNGS_FFT_CHIRP_H
#define RUNGS_FFT_CHIRP_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fourstep.h" /* fourstep_root, fourstep_roots, fourstep_alloc */

/* The factors between two steps, exp(-2 pi i f t / m) for 0 <= f < length: with t = LANES*group + lane, each is a product of
   two.  The lines' results go to the next step's order, LANES of them side by side. */
struct turns {
    size_t length;        /* of a line */
    size_t lines;         /* lines of a signal */
    struct cpx *of_group; /* [groups][length] exp(-2 pi i f LANES group / m) */
    struct vec *of_lane;  /* [length] exp(-2 pi i f lane / m) */
};

struct chirp {
    size_t n, m, n1, n2;
    size_t groups1, groups2; /* of LANES columns; of LANES rows */
    struct cpx *w1, *w2;     /* [n1] and [n2] roots of unity */
    struct cpx *c;           /* [n] the chirp */
    struct vec *b;           /* [groups2][n2] */
    struct turns out, home;  /* from columns to middle, from middle to back */
    struct vec *a, *a2;      /* [signals at a time][groups2][n2], [signals at a time][groups1][n1] */
    struct vec *work;        /* [threads][2 * the larger of n1 and n2] */
};

static size_t groups_of(size_t lines)
{
    return (lines + LANES - 1) / LANES;
}

/* Returns exp(-pi i t^2 / n), the square modulo 2n in whole numbers: in floating point it would lose the phase. */
static struct cpx chirp_at(size_t t, size_t n)
{
    return fourstep_root((uint64_t)t * t % (2 * n), 2 * n);
}

/* --- the three parts of a step ------------------------------------------------------------------ */

/* Loads numbers at .. at + LANES of a signal that has `limit` of them, 0 beyond. */
SIMD_INLINE struct vec load_within(const struct cpx *x, size_t at, size_t limit)
{
    struct cpx some[LANES] = {{0, 0}};

    if (at + LANES <= limit)
        return vec_load(x + at);
    if (at < limit)
        memcpy(some, x + at, (limit - at) * sizeof *some);
    return vec_load(some);
}

SIMD_INLINE struct vec vec_conjugate(struct vec v)
{
    return (struct vec){v.re, -v.im};
}

/* Turns LANES lines' results, and writes them so that the next step has LANES of its lines side by side. */
SIMD static void turn_and_transpose(const struct turns *t, size_t group, const struct vec *from, struct vec *to)
{
    const size_t first = group * LANES, lanes = t->lines - first < LANES ? t->lines - first : LANES;
    const struct cpx *of_group = t->of_group + group * t->length;

    for (size_t f = 0; f < t->length; f += LANES) {
        REGISTER re[LANES], im[LANES];

        for (size_t i = 0; i < LANES; i++) {
            const size_t row = f + i < t->length ? f + i : f; /* beyond the last one: any will do */
            const struct vec v = vec_mul(vec_mul(vec_all(of_group[row]), t->of_lane[row]), from[row]);

            re[i] = v.re;
            im[i] = v.im;
        }
        transpose(re);
        transpose(im);
        for (size_t i = 0; i < lanes; i++)
            to[f / LANES * t->lines + first + i] = (struct vec){re[i], im[i]};
    }
}

/* --- the steps, one group of lines each --------------------------------------------------------- */

/* x has n numbers; c: [n] what to multiply them by, or NULL */
SIMD static void chirp_columns(const struct chirp *s, size_t group, const struct cpx *x, size_t n, const struct cpx *c,
                               struct vec *a, struct vec *work)
{
    const size_t most = s->n1 > s->n2 ? s->n1 : s->n2;

    for (size_t t1 = 0; t1 < s->n1; t1++) {
        const size_t at = t1 * s->n2 + group * LANES;

        work[t1] = load_within(x, at, n);
        if (c != NULL && at < n)
            work[t1] = vec_mul(work[t1], load_within(c, at, n));
    }
    turn_and_transpose(&s->out, group, lanes_transform(s->n1, s->w1, work, work + most, work), a);
}

SIMD static void chirp_middle(const struct chirp *s, size_t group, const struct vec *a, struct vec *a2, struct vec *work)
{
    const size_t n2 = s->n2, most = s->n1 > n2 ? s->n1 : n2;
    const struct vec *sum = lanes_transform(n2, s->w2, a + group * n2, work, work + most);
    const struct vec *b = s->b + group * n2;
    struct vec *product = sum == work ? work : work + most, *other = sum == work ? work + most : work;

    for (size_t f = 0; f < n2; f++)
        product[f] = vec_conjugate(vec_mul(sum[f], b[f]));
    turn_and_transpose(&s->home, group, lanes_transform(n2, s->w2, product, other, product), a2);
}

SIMD static void chirp_back(const struct chirp *s, size_t group, const struct vec *a2, struct cpx *X, struct vec *work)
{
    const size_t n1 = s->n1, n2 = s->n2, most = n1 > n2 ? n1 : n2, first = group * LANES;
    const size_t lanes = n2 - first < LANES ? n2 - first : LANES;
    const struct vec *sum = lanes_transform(n1, s->w1, a2 + group * n1, work, work + most);

    for (size_t h = 0, at = first; h < n1 && at < s->n; h++, at += n2) {
        const struct vec v = vec_mul(vec_conjugate(sum[h]), load_within(s->c, at, s->n));
        const size_t count = s->n - at < lanes ? s->n - at : lanes;
        struct cpx some[LANES];

        if (count == LANES) {
            vec_store(X + at, v);
        } else {
            vec_store(some, v);
            memcpy(X + at, some, count * sizeof *some);
        }
    }
}

/* --- tables --------------------------------------------------------------------------------------- */

/* Returns what the passes of a line of n points cost per number, in flops and accesses, roughly. */
static size_t chirp_cost(size_t n)
{
    size_t cost = n > 1024 ? 10 : 0; /* leaves the first-level cache */

    for (size_t left = n; left > 1; left /= lanes_radix(left))
        cost += 8 + 2 * lanes_radix(left);
    return cost;
}

/* Divides a convolution of at least `least` points: lanes are full, and lines that a large power of two lies between would
   use few lines of a cache. */
static void chirp_lengths(struct chirp *s, size_t least)
{
    double best = INFINITY;

    for (size_t n1 = LANES; n1 <= 8192 && (n1 == LANES || n1 * n1 <= 16 * least); n1 += LANES)
        for (size_t n2 = groups_of((least + n1 - 1) / n1) * LANES, tries = 0; lanes_can(n1) && tries < 64; n2 += LANES) {
            double cost = (double)(n1 * n2) * (double)(2 * chirp_cost(n1) + 2 * chirp_cost(n2) + 80);

            if (n2 % 256 == 0 || n1 % 256 == 0)
                cost *= 1.1;
            tries++;
            if (lanes_can(n2) && n2 <= 4 * n1 + 4 * LANES && cost < best) {
                best = cost;
                s->n1 = n1;
                s->n2 = n2;
            }
        }
    s->m = s->n1 * s->n2;
}

static void turns_make(struct turns *t, size_t length, size_t lines)
{
    const size_t m = length * lines;

    *t = (struct turns){.length = length, .lines = lines};
    t->of_group = malloc(groups_of(lines) * length * sizeof *t->of_group);
    t->of_lane = fourstep_alloc(length);
    for (size_t g = 0; g < groups_of(lines); g++)
        for (size_t f = 0; f < length; f++)
            t->of_group[g * length + f] = fourstep_root(f * LANES * g % m, m);
    for (size_t f = 0; f < length; f++)
        for (size_t lane = 0; lane < LANES; lane++) {
            const struct cpx root = fourstep_root(f * lane % m, m);

            ((float *)&t->of_lane[f].re)[lane] = root.re;
            ((float *)&t->of_lane[f].im)[lane] = root.im;
        }
}

/* b: the columns of the conjugate chirp, which is as long on both sides of 0, and the first half of the middle step */
static void chirp_transform(struct chirp *s)
{
    const size_t most = s->n1 > s->n2 ? s->n1 : s->n2;
    struct cpx *around = calloc(s->m, sizeof *around);

    for (size_t t = 0; t < s->n; t++)
        around[t] = around[(s->m - t) % s->m] = (struct cpx){s->c[t].re / (float)s->m, -s->c[t].im / (float)s->m};
    for (size_t g = 0; g < s->groups1; g++)
        chirp_columns(s, g, around, s->m, NULL, s->a, s->work);
    for (size_t g = 0; g < s->groups2; g++)
        memcpy(s->b + g * s->n2, lanes_transform(s->n2, s->w2, s->a + g * s->n2, s->work, s->work + most),
               s->n2 * sizeof *s->b);
    free(around);
}

static void chirp_prepare(struct chirp *s, size_t n, size_t signals, size_t threads)
{
    *s = (struct chirp){.n = n};
    chirp_lengths(s, 2 * n - 1);
    s->groups1 = groups_of(s->n2);
    s->groups2 = groups_of(s->n1);
    s->w1 = fourstep_roots(s->n1);
    s->w2 = fourstep_roots(s->n2);
    s->c = malloc(n * sizeof *s->c);
    for (size_t t = 0; t < n; t++)
        s->c[t] = chirp_at(t, n);
    turns_make(&s->out, s->n1, s->n2);
    turns_make(&s->home, s->n2, s->n1);
    s->a = fourstep_alloc(signals * s->groups2 * s->n2);
    s->a2 = fourstep_alloc(signals * s->groups1 * s->n1);
    s->b = fourstep_alloc(s->groups2 * s->n2);
    s->work = fourstep_alloc(threads * 2 * (s->n1 > s->n2 ? s->n1 : s->n2));
    chirp_transform(s);
}

static void chirp_release(struct chirp *s)
{
    void *const all[] = {s->w1, s->w2, s->c, s->out.of_group, s->out.of_lane, s->home.of_group, s->home.of_lane,
                         s->a, s->a2, s->b, s->work};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    *s = (struct chirp){.n = 0};
}

#endif
