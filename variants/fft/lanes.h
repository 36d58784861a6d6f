/*
 * As many transforms at once as a register has lanes: lane i belongs to transform i alone.  The butterflies are those
 * of cpu_stockham.c with registers instead of numbers.  So every length and every radix is vectorised in the same way,
 * without a shuffle.
 *
 * Include avx2.h or avx512.h before: struct vec, LANES, and how to load, store and transpose.
 */
#ifndef RUNGS_FFT_LANES_H
#define RUNGS_FFT_LANES_H

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
    struct vec sum[4], dif[4], first = v[0];

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
    struct vec root[7], twiddle[7], v[7];

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
        size_t left = n / s;
        struct vec *out = work;

        if (left % 4 == 0)
            pass(r = 4, left / 4, s, w, in, out);
        else if (left % 2 == 0)
            pass(r = 2, left / 2, s, w, in, out);
        else if (left % 3 == 0)
            pass(r = 3, left / 3, s, w, in, out);
        else if (left % 5 == 0)
            pass(r = 5, left / 5, s, w, in, out);
        else
            pass(r = 7, left / 7, s, w, in, out);
        in = out;
        work = other;
        other = out;
    }
    return in;
}

#endif
