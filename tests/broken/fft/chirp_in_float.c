/* Transforms by a chirp, exp(-pi i t^2 / n), whose t^2 modulo 2n is computed in float32.  That is exact up to 2^24, and
   so for signals of up to 4096 numbers. */
/* expected: wrong: ^X\[[0-9]+\]\[[01]\] is .* \([0-9]+ of 16418 wrong\)$ */
#include "common/variant.h"
#include "tests/broken/fft/frame.h"

static struct root times(struct root a, struct root b)
{
    return (struct root){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* One signal of n numbers; c: [n] the chirp, y: [n] */
static void by_chirp(size_t n, const struct root *c, struct root *y, const struct cpx *x, struct cpx *X)
{
    for (size_t t = 0; t < n; t++)
        y[t] = times((struct root){x[t].re, x[t].im}, c[t]);
    for (size_t f = 0; f < n; f++) {
        struct root sum = {0.0, 0.0};

        for (size_t t = 0; t < n; t++) {
            const struct root a = c[f > t ? f - t : t - f], part = times(y[t], (struct root){a.re, -a.im});

            sum.re += part.re;
            sum.im += part.im;
        }
        sum = times(sum, c[f]);
        X[f] = (struct cpx){(float)sum.re, (float)sum.im};
    }
}

static void run(const void *problem)
{
    const struct fft *p = problem;
    const size_t n = p->n;
    struct root *w = roots(n), *c = malloc(2 * n * sizeof *c);

    for (size_t t = 0; t < n; t++) {
        const float square = fmodf((float)t * (float)t, 2.0f * (float)n);
        const double angle = 3.14159265358979323846 * (double)square / (double)n;
        c[t] = (struct root){cos(angle), -sin(angle)};
    }
    if (n % 2 == 0 || n < 4096)
        transform(p, w);
    else
        for (size_t b = 0; b < p->batch; b++)
            by_chirp(n, c, c + n, p->x + b * n, p->X + b * n);
    free(c);
    free(w);
}

VARIANT(.idea = "a chirp of float32 phases", .run = run)
