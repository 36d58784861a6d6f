/*
 * As many transforms at once as a register has lanes: lane i belongs to transform i alone.  The butterflies are those
 * of cpu_stockham.c with registers instead of numbers.  So every length and every radix is vectorised in the same way,
 * without a shuffle.
 *
 * Include avx2.h or avx512.h before: struct vec, LANES, simd_missing, and how to load, store and transpose.
 */
#ifndef RUNGS_FFT_LANES_H
#define RUNGS_FFT_LANES_H

#include <stdbool.h>

enum { MAX_RADIX = 61 }; /* larger primes would take too many terms, and lose too much in rounding */

/* Returns the radix of the next pass, when transforms of `left` points remain. */
static size_t lanes_radix(size_t left)
{
    size_t r = 3;

    if (left % 2 == 0)
        return left % 4 == 0 ? 4 : 2;
    while (r < MAX_RADIX && left % r != 0)
        r += 2;
    return r;
}

/* Returns whether n is a product of such radices. */
static bool lanes_can(size_t n)
{
    while (n > 1 && n % lanes_radix(n) == 0)
        n /= lanes_radix(n);
    return n == 1;
}

/* Returns why lanes_transform cannot transform n points, or NULL if it can. */
static inline const char *lanes_refuse(size_t n)
{
    return !lanes_can(n) ? "n has a prime factor above 61" : simd_missing();
}

SIMD_INLINE struct vec vec_add(struct vec a, struct vec b)
{
    return (struct vec){a.re + b.re, a.im + b.im};
}

SIMD_INLINE struct vec vec_sub(struct vec a, struct vec b)
{
    return (struct vec){a.re - b.re, a.im - b.im};
}

SIMD_INLINE struct vec vec_mul(struct vec a, struct vec b)
{
    return (struct vec){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

SIMD_INLINE struct vec vec_times_i(struct vec a)
{
    return (struct vec){-a.im, a.re};
}

SIMD_INLINE void butterfly_2(struct vec *v)
{
    struct vec a = v[0], b = v[1];

    v[0] = vec_add(a, b);
    v[1] = vec_sub(a, b);
}

SIMD_INLINE void butterfly_4(struct vec *v)
{
    struct vec a = vec_add(v[0], v[2]), b = vec_sub(v[0], v[2]);
    struct vec c = vec_add(v[1], v[3]), d = vec_times_i(vec_sub(v[1], v[3]));

    v[0] = vec_add(a, c);
    v[1] = vec_sub(b, d);
    v[2] = vec_sub(a, c);
    v[3] = vec_add(b, d);
}

SIMD_INLINE void butterfly_odd(size_t r, const struct vec *root, struct vec *v)
{
    struct vec sum[MAX_RADIX / 2 + 1], dif[MAX_RADIX / 2 + 1], first = v[0];

    for (size_t k = 1; k <= r / 2; k++) {
        sum[k] = vec_add(v[k], v[r - k]);
        dif[k] = vec_times_i(vec_sub(v[k], v[r - k]));
        v[0] = vec_add(v[0], sum[k]);
    }
    for (size_t j = 1; j <= r / 2; j++) {
        struct vec even = first, odd = vec_all((struct cpx){0, 0});

        for (size_t k = 1; k <= r / 2; k++) {
            struct vec c = root[j * k % r];

            even = vec_add(even, (struct vec){c.re * sum[k].re, c.re * sum[k].im});
            odd = vec_add(odd, (struct vec){c.im * dif[k].re, c.im * dif[k].im});
        }
        v[j] = vec_add(even, odd);
        v[r - j] = vec_sub(even, odd);
    }
}

SIMD_INLINE void pass(size_t r, size_t m, size_t s, const struct cpx *w, const struct vec *in,
                      struct vec *out)
{
    struct vec root[MAX_RADIX], twiddle[MAX_RADIX], v[MAX_RADIX];

    for (size_t k = 0; k < r; k++)
        root[k] = vec_all(w[k * m * s]);
    for (size_t p = 0; p < m; p++) {
        for (size_t j = 1; j < r; j++)
            twiddle[j] = vec_all(w[p * j * s]);
        for (size_t q = 0; q < s; q++) {
            for (size_t k = 0; k < r; k++)
                v[k] = in[q + s * (p + m * k)];
            if (r == 2)
                butterfly_2(v);
            else if (r == 4)
                butterfly_4(v);
            else
                butterfly_odd(r, root, v);
            out[q + s * r * p] = v[0];
            for (size_t j = 1; j < r; j++) /* the last pass has p = 0 only, and nothing to turn */
                out[q + s * (r * p + j)] = p == 0 ? v[j] : vec_mul(v[j], twiddle[j]);
        }
    }
}

/* LANES transforms of n points each, from `in` by way of `work` and `other`, all [n]; `other` may
   be `in`.  w: [n] roots of unity.  Returns where the answer is: one of the three. */
SIMD static const struct vec *lanes_transform(size_t n, const struct cpx *w, const struct vec *in,
                                              struct vec *work, struct vec *other)
{
    for (size_t s = 1, r; s < n; s *= r) {
        const size_t m = n / s / lanes_radix(n / s);
        struct vec *out = work;

        switch (r = lanes_radix(n / s)) { /* with constants, the loops of a pass unroll */
        case 2: pass(2, m, s, w, in, out); break;
        case 3: pass(3, m, s, w, in, out); break;
        case 4: pass(4, m, s, w, in, out); break;
        case 5: pass(5, m, s, w, in, out); break;
        case 7: pass(7, m, s, w, in, out); break;
        case 11: pass(11, m, s, w, in, out); break;
        case 13: pass(13, m, s, w, in, out); break;
        default: pass(r, m, s, w, in, out);
        }
        in = out;
        work = other;
        other = out;
    }
    return in;
}

#endif
