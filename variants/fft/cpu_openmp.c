/*
 * fft / cpu_openmp
 *
 * Idea     All cores: no frequency needs another, so the cores share all batch * n of them equally.
 * Against  cpu_naive, the same sums on one core.
 * Expect   Bound by arithmetic, and so faster by nearly the number of cores: all read the signal
 *          and the table, and none writes to them.  Still n^2: cores do not replace an algorithm.
 * Try      --threads 1,2,4 and cpu_stockham on one thread: how many cores would it take to be as
 *          fast, at n = 1024 and at n = 16384?
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

#pragma omp parallel for collapse(2) schedule(static)
    for (size_t b = 0; b < p->batch; b++)
        for (size_t f = 0; f < p->n; f++)
            p->X[b * p->n + f] = one_frequency(p->x + b * p->n, p->n, f);
}

static void release(void)
{
    free(w);
}

VARIANT(.idea = "all cores, equal shares of the frequencies",
        .base = "cpu_naive",
        .prepare = prepare,
        .run = run,
        .release = release)
