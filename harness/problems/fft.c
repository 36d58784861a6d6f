/* fft: common/fft.h says what is computed; here stand sizes, data, reference, judge, cost. */
#include "common/fft.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/problem.h"
#include "harness/random.h"

enum { BATCH, N };

static const struct size check_sizes[] = {
    {"no signals", {0, 1024}},        {"one point", {17, 1}},
    {"radix 2", {3, 2}},              {"radix 3", {17, 3}},
    {"radix 4", {2, 4}},              {"radix 5", {3, 5}},
    {"two factors", {17, 6}},         {"radix 7", {2, 7}},
    {"2 cubed", {17, 8}},             {"3 squared", {3, 9}},
    {"2, 3 and 5", {17, 30}},         {"a warp", {3, 32}},
    {"5 and 7, odd", {17, 35}},       {"all four factors", {3, 210}},
    {"7 cubed", {2, 343}},            {"a million's root", {17, 1000}},
    {"2 to the 10th", {3, 1024}},     {"3 to the 7th", {2, 2187}},
    {"2 to the 12th", {17, 4096}},    {"all four, long", {3, 5040}},
    {NULL, {0}},
};

/* S in a second-level cache, M in a third-level one, L and XL for devices. */
static const struct size bench_sizes[] = {
    {"S", {64, 1024}},    {"M", {1, 1000000}},   {"L", {64, 1 << 20}},
    {"XL", {4096, 16384}}, {NULL, {0}},
};

/* One transform, ever longer: 4 KiB to 256 MiB. */
static const struct growth growth = {
    .from = {1, 1 << 8}, .grows = {false, true}, .to = 1 << 24};

static const char *impossible(const size_t dims[])
{
    static const size_t primes[] = {2, 3, 5, 7};
    static char reason[96];
    size_t rest = dims[N];

    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
        while (rest != 0 && rest % primes[i] == 0)
            rest /= primes[i];
    if (rest == 1)
        return NULL;
    snprintf(reason, sizeof reason, "n = %zu is not a product of 2, 3, 5 and 7", dims[N]);
    return reason;
}

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct fft *p = c;

    p->batch = dims[BATCH];
    p->n = dims[N];
    p->x = arena_input(arena, "x", p->batch, p->n, sizeof *p->x);
    p->X = arena_output(arena, "X", p->batch, p->n, sizeof *p->X);
}

static void fill(void *c, uint64_t seed)
{
    struct fft *p = c;
    struct cpx *x = (struct cpx *)p->x;

    for (size_t i = 0; i < p->batch * p->n; i++)
        x[i] = (struct cpx){random_float(seed, 0, i), random_float(seed, 1, i)};
}

/* --- reference -------------------------------------------------------------------------------- */

struct solution {
    bool sound;         /* the reference has passed its own check */
    double complex X[]; /* [batch][n] */
};

static double complex number(struct cpx a)
{
    return a.re + I * (double)a.im;
}

static double norm(size_t n, const struct cpx *x) /* ||x||_2 */
{
    double sum = 0.0;

    for (size_t t = 0; t < n; t++)
        sum += (double)x[t].re * x[t].re + (double)x[t].im * x[t].im;
    return sqrt(sum);
}

/* One frequency by the definition.  w: [n] roots, w[k] = exp(-2 pi i k / n). */
static double complex direct(size_t n, const double complex *w, const struct cpx *x, size_t f)
{
    double complex sum = 0.0;

    for (size_t t = 0, k = 0; t < n; t++) {
        sum += number(x[t]) * w[k];
        k = k + f < n ? k + f : k + f - n; /* f*t mod n */
    }
    return sum;
}

/*
 * Decimation in time, as plain as it gets: the transforms of every r-th number, r the smallest
 * factor of n, joined by
 *
 *     X[m*j + p] = sum over k < r of exp(-2 pi i k p / n) * exp(-2 pi i k j / r) * X_k[p]
 *
 * where m = n / r.  `stride` is the distance of neighbours in x and of roots in w.
 */
static void recursive(size_t n, size_t stride, const double complex *w, const struct cpx *x,
                      double complex *X)
{
    const size_t r = n % 2 == 0 ? 2 : n % 3 == 0 ? 3 : n % 5 == 0 ? 5 : 7, m = n / r;

    if (n == 1) {
        X[0] = number(x[0]);
        return;
    }
    for (size_t k = 0; k < r; k++)
        recursive(m, stride * r, w, x + k * stride, X + k * m);

    for (size_t p = 0; p < m; p++) {
        double complex part[7];

        for (size_t k = 0; k < r; k++)
            part[k] = w[k * p * stride] * X[k * m + p];
        for (size_t j = 0; j < r; j++) {
            double complex sum = 0.0;

            for (size_t k = 0; k < r; k++)
                sum += w[j * k % r * m * stride] * part[k];
            X[j * m + p] = sum;
        }
    }
}

/* Is X the transform of x?  The energies must agree (Parseval: ||X||^2 = n ||x||^2), and so must
   some bins that the seed picks, by the definition: to a small part of what the judge allows. */
static bool sound(size_t n, const double complex *w, const struct cpx *x, const double complex *X,
                  size_t bins, uint64_t seed)
{
    const double size = norm(n, x), tolerance = 0x1p-32 * size;
    double energy = 0.0;

    for (size_t f = 0; f < n; f++)
        energy += creal(X[f]) * creal(X[f]) + cimag(X[f]) * cimag(X[f]);
    if (!(fabs(sqrt(energy / (double)n) - size) <= tolerance))
        return false;
    for (size_t i = 0; i < bins; i++) {
        size_t f = (size_t)(random_unit(seed, 2, i) * (double)n);

        if (!(cabs(direct(n, w, x, f) - X[f]) <= tolerance))
            return false;
    }
    return true;
}

/* The definition where that is soon done; else the recursion, with a few dozen bins of the batch
   checked against the definition. */
static void *solve(const void *c, uint64_t seed)
{
    const struct fft *p = c;
    const double work = (double)p->batch * (double)p->n * (double)p->n;
    const size_t bins = 1 + 48 / (p->batch + 1);
    struct solution *s = malloc(sizeof *s + p->batch * p->n * sizeof *s->X);
    double complex *w = malloc(p->n * sizeof *w);

    if (s == NULL || w == NULL) {
        free(s);
        free(w);
        return NULL;
    }
    for (size_t k = 0; k < p->n; k++) {
        double angle = -2.0 * M_PI * (double)k / (double)p->n;
        w[k] = cos(angle) + I * sin(angle);
    }
    s->sound = true;
    for (size_t b = 0; b < p->batch; b++) {
        const struct cpx *x = p->x + b * p->n;
        double complex *X = s->X + b * p->n;

        if (work < 0x1p24) {
            for (size_t f = 0; f < p->n; f++)
                X[f] = direct(p->n, w, x, f);
        } else {
            recursive(p->n, 1, w, x, X);
            s->sound = s->sound && sound(p->n, w, x, X, bins, seed + b);
        }
    }
    free(w);
    return s;
}

/* --- judge ------------------------------------------------------------------------------------ */

/*
 * The computed transform of n = 2^k points, with weights good to the unit roundoff u, lies within
 *
 *     ||error||_2 <= log2(n) * c u * ||X||_2
 *
 * with c about 7 in the worst case (N. J. Higham, Accuracy and Stability of Numerical Algorithms,
 * theorem 24.2), and since roundings are as good as random, far within.  ||X||_2 = sqrt(n)*||x||_2,
 * and a bin's share of the error is its root mean square, 1/sqrt(n) of the whole.  So each bin is
 * allowed, with c = 4 and one more pass for the rounding of input and answer,
 *
 *     |error| <= 4u * (log2(n) + 1) * ||x||_2
 *
 * A signal with a high peak in its spectrum (a pure tone, a constant) makes the last passes round
 * numbers as large as that peak, in its own bin and in those that share a butterfly with it; there
 * 4u * max|X| is allowed, if that is more.  For noise it is less.
 */
static double allowed(size_t n, const struct cpx *x, const double complex *X, double u)
{
    double peak = 0.0;

    for (size_t f = 0; f < n; f++)
        peak = fmax(peak, cabs(X[f]));
    return 4.0 * u * fmax((log2((double)n) + 1.0) * norm(n, x), peak) + 0x1p-149;
}

static struct verdict judge(const void *c, const void *solution, enum math math)
{
    const struct fft *p = c;
    const struct solution *s = solution;
    const double u = math_unit(math == MATH_F64 ? MATH_F32 : math); /* stored as float32 anyway */
    struct verdict v = verdict_start();

    v.columns = 2; /* a place is [number in the batch][0: real, 1: imaginary part] */
    if (!s->sound) {
        verdict_reject(&v, "the reference has failed its own check");
        return v;
    }
    for (size_t b = 0; b < p->batch; b++) {
        const double complex *want = s->X + b * p->n;
        const double limit = allowed(p->n, p->x + b * p->n, want, u);

        for (size_t f = 0; f < p->n; f++) {
            const size_t i = b * p->n + f;

            if (!verdict_see(&v, "X", 2 * i, p->X[i].re, creal(want[f]), limit) ||
                !verdict_see(&v, "X", 2 * i + 1, p->X[i].im, cimag(want[f]), limit))
                return v;
        }
    }
    return v;
}

static struct cost cost(const size_t dims[])
{
    const double n = (double)dims[N], items = (double)dims[BATCH] * n;

    return (struct cost){.flops = items > 0.0 ? 5.0 * items * log2(n) : 0.0, .bytes = 16.0 * items, .items = items};
}

PROBLEM(.formula = "X[f] = sum of x[t] exp(-2 pi i f t / n)", .axes = {"batch", "n"},
        .rate = RATE_FLOPS, .item = "numbers", .check_sizes = check_sizes,
        .bench_sizes = bench_sizes, .growth = &growth, .case_bytes = sizeof(struct fft),
        .impossible = impossible, .shape = shape, .fill = fill, .solve = solve, .judge = judge,
        .cost = cost, .data = &fft_data)
