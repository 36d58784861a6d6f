/*
 * fft / cpu_naive
 *
 * Idea     The definition as two loops: each frequency is a sum over all n numbers of its signal.
 * Against  Nothing; this is the first variant.
 * Expect   Bound by arithmetic: 8 n^2 flops per signal.  The table's rate counts the 5 n log2(n)
 *          flops of the fast algorithm, so it falls as n grows.
 * Try      n = 512, 1024, 2048, 4096: what does each doubling cost here, and in cpu_stockham?
 * Level    1
 * Read     nothing else
 */
#include <math.h>
#include <stdlib.h>

#include "common/fft.h"
#include "common/variant.h"

struct root {
    double re, im;
};

static struct root *w; /* [n] w[k] = exp(-2 pi i k / n) */

static void prepare(const void *problem)
{
    const struct fft *p = problem;

    w = malloc(p->n * sizeof *w);
    for (size_t k = 0; k < p->n; k++) {
        double angle = -2 * M_PI * (double)k / (double)p->n;
        w[k] = (struct root){cos(angle), sin(angle)};
    }
}

static struct cpx one_frequency(const struct cpx *x, size_t n, size_t f)
{
    double re = 0, im = 0; /* in float, the rounding errors of n additions would add up */

    for (size_t t = 0, k = 0; t < n; t++) { /* k = f*t mod n, without the overflow of f*t */
        re += x[t].re * w[k].re - x[t].im * w[k].im;
        im += x[t].re * w[k].im + x[t].im * w[k].re;
        k += f;
        if (k >= n)
            k -= n;
    }
    return (struct cpx){(float)re, (float)im};
}

static void run(const void *problem)
{
    const struct fft *p = problem;

    for (size_t b = 0; b < p->batch; b++)
        for (size_t f = 0; f < p->n; f++)
            p->X[b * p->n + f] = one_frequency(p->x + b * p->n, p->n, f);
}

static void release(void)
{
    free(w);
}

VARIANT(.idea = "the definition as two loops",
        .prepare = prepare,
        .run = run,
        .release = release)
