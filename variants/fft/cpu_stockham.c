/*
 * fft / cpu_stockham
 *
 * Idea     A better algorithm beats better hardware.  With n = r*m, one transform is m butterflies
 *          of r points, then r transforms of m points, and so on.  Stockham's order, from one array
 *          to another and back, leaves the frequencies sorted: no bit reversal, any factors.
 * Against  cpu_naive: instead of n terms, a frequency costs the sum of the factors of n.
 * Expect   Bound by arithmetic while the arrays fit in a cache; then by memory, once per pass.
 * Try      n = 2048, 2187, 2401, 3125 (powers of 2, 3, 7, 5): which radix has the best rate, and
 *          why?
 * Level    1
 * Read     nothing else
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/fft.h"
#include "common/variant.h"

static struct cpx *w;    /* [n] w[k] = exp(-2 pi i k / n) */
static struct cpx *work; /* [2][n] the passes alternate between the two */

static const char *refuse(const void *problem)
{
    size_t left = ((const struct fft *)problem)->n;

    for (size_t r = 2; r <= 7; r++)
        while (left % r == 0)
            left /= r;
    return left == 1 ? NULL : "n has a prime factor above 7";
}

static void prepare(const void *problem)
{
    const struct fft *p = problem;

    w = malloc(p->n * sizeof *w);
    work = malloc(2 * p->n * sizeof *work);
    for (size_t k = 0; k < p->n; k++) {
        double angle = -2 * M_PI * (double)k / (double)p->n; /* in float, its error would show */
        w[k] = (struct cpx){(float)cos(angle), (float)sin(angle)};
    }
}

static inline struct cpx add(struct cpx a, struct cpx b)
{
    return (struct cpx){a.re + b.re, a.im + b.im};
}

static inline struct cpx sub(struct cpx a, struct cpx b)
{
    return (struct cpx){a.re - b.re, a.im - b.im};
}

static inline struct cpx mul(struct cpx a, struct cpx b)
{
    return (struct cpx){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline void butterfly_2(struct cpx *v)
{
    struct cpx a = v[0], b = v[1];

    v[0] = add(a, b);
    v[1] = sub(a, b);
}

static inline void butterfly_4(struct cpx *v)
{
    struct cpx a = add(v[0], v[2]), b = sub(v[0], v[2]);
    struct cpx c = add(v[1], v[3]), d = {v[3].im - v[1].im, v[1].re - v[3].re}; /* i*(v1 - v3) */

    v[0] = add(a, c);
    v[1] = sub(b, d);
    v[2] = sub(a, c);
    v[3] = add(b, d);
}

/* The roots at k and r-k are conjugate: taking v[k] + v[r-k] and v[k] - v[r-k] first leaves half
   the multiplications, and those with real numbers. */
static inline void butterfly_odd(size_t r, const struct cpx *root, struct cpx *v)
{
    struct cpx sum[4], dif[4], first = v[0];

    for (size_t k = 1; k <= r / 2; k++) {
        sum[k] = add(v[k], v[r - k]);
        dif[k] = (struct cpx){v[r - k].im - v[k].im, v[k].re - v[r - k].re}; /* times i */
        v[0] = add(v[0], sum[k]);
    }
    for (size_t j = 1; j <= r / 2; j++) {
        struct cpx even = first, odd = {0, 0};

        for (size_t k = 1; k <= r / 2; k++) {
            struct cpx c = root[j * k % r];
            even = add(even, (struct cpx){c.re * sum[k].re, c.re * sum[k].im});
            odd = add(odd, (struct cpx){c.im * dif[k].re, c.im * dif[k].im});
        }
        v[j] = add(even, odd);
        v[r - j] = sub(even, odd);
    }
}

/* s interleaved transforms of r*m points become r*s interleaved transforms of m points.  Called
   with constant r only, so that its loops unroll and v lives in registers. */
static inline void pass(size_t r, size_t m, size_t s, const struct cpx *in, struct cpx *out)
{
    struct cpx root[7], v[7];

    for (size_t k = 0; k < r; k++)
        root[k] = w[k * m * s]; /* exp(-2 pi i k / r), since n = r*m*s */
    for (size_t p = 0; p < m; p++)
        for (size_t q = 0; q < s; q++) {
            for (size_t k = 0; k < r; k++)
                v[k] = in[q + s * (p + m * k)];
            if (r == 2)
                butterfly_2(v);
            else if (r == 4)
                butterfly_4(v);
            else
                butterfly_odd(r, root, v);
            for (size_t j = 0; j < r; j++)
                out[q + s * (r * p + j)] = mul(v[j], w[p * j * s]);
        }
}

static void run(const void *problem)
{
    const struct fft *p = problem;
    const size_t n = p->n;

    for (size_t b = 0; b < p->batch; b++) {
        const struct cpx *in = p->x + b * n;
        struct cpx *out = work;

        for (size_t s = 1, r; s < n; s *= r) {
            size_t left = n / s; /* the length of the transforms that are still to do */

            if (left % 4 == 0)
                pass(r = 4, left / 4, s, in, out);
            else if (left % 2 == 0)
                pass(r = 2, left / 2, s, in, out);
            else if (left % 3 == 0)
                pass(r = 3, left / 3, s, in, out);
            else if (left % 5 == 0)
                pass(r = 5, left / 5, s, in, out);
            else
                pass(r = 7, left / 7, s, in, out);
            in = out;
            out = out == work ? work + n : work;
        }
        memcpy(p->X + b * n, in, n * sizeof *in);
    }
}

static void release(void)
{
    free(w);
    free(work);
}

VARIANT(.idea = "n log n: self-sorting passes of small butterflies", .base = "cpu_naive",
        .refuse = refuse, .prepare = prepare, .run = run, .release = release)
