/* fft of powers of two: the results of typical mistakes in a stage of butterflies. */
#include "common/fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workshop/lab/pattern.h"

static bool view(const void *c, struct view *v)
{
    const struct fft *p = c;

    v->array = "X";
    v->rows = p->batch;
    v->cols = 2 * p->n; /* real and imaginary parts */
    v->got = (const float *)(const void *)p->X;
    v->scale = 4.0 * sqrt((double)p->n);
    return (p->n & (p->n - 1)) == 0;
}

/* Which root w[...] a butterfly takes. */
enum root { SCALED, UNSCALED, FULL_TURN, OF_THREAD };

/* How a stage is done. */
struct way {
    double sign;     /* of the angle: -1 is right, 0 leaves the roots out */
    size_t stop;     /* before the stage of this half; 0: none */
    bool subtracted; /* the second half is v - u, not u - v */
    enum root root;
    bool near_partner; /* v is from[t + half], not from[t + n/2] */
};

/* The angle of the root over pi. */
static double turn(size_t n, size_t half, size_t t, const struct way *way)
{
    const double k = (double)(t % half);

    switch (way->root) {
    case UNSCALED: return way->sign * 2.0 * k / (double)n;
    case FULL_TURN: return way->sign * 2.0 * k / (double)half;
    case OF_THREAD: return way->sign * (double)t / (double)half;
    default: return way->sign * k / (double)half;
    }
}

static void stage(const double *from, double *to, size_t n, size_t half, const struct way *way)
{
    for (size_t t = 0; t < n / 2; t++) {
        const size_t k = t % half, j = 2 * (t - k) + k;
        const size_t partner = way->near_partner ? t + half : t + n / 2;
        const double angle = M_PI * turn(n, half, t, way);
        const double *u = from + 2 * t, *x = from + 2 * (partner % n);
        const double re = x[0] * cos(angle) - x[1] * sin(angle);
        const double im = x[0] * sin(angle) + x[1] * cos(angle);
        const double side = way->subtracted ? -1.0 : 1.0;

        to[2 * j] = u[0] + re;
        to[2 * j + 1] = u[1] + im;
        to[2 * (j + half)] = side * (u[0] - re);
        to[2 * (j + half) + 1] = side * (u[1] - im);
    }
}

/* Stockham's algorithm, radix 2: each stage reads one array and writes the other. */
static void transform(const struct fft *p, const struct way *way, double *out)
{
    const size_t n = p->n, bytes = 2 * n * sizeof(double);
    double *other = malloc(bytes + 1);

    for (size_t b = 0; other != NULL && b < p->batch; b++) {
        double *signal = out + 2 * n * b;
        for (size_t i = 0; i < n; i++) {
            signal[2 * i] = p->x[b * n + i].re;
            signal[2 * i + 1] = p->x[b * n + i].im;
        }
        for (size_t half = 1; half < n && half != way->stop; half *= 2) {
            stage(signal, other, n, half, way);
            memcpy(signal, other, bytes);
        }
    }
    free(other);
}

static void want(const void *c, double *out)
{
    transform(c, &(struct way){.sign = -1.0}, out);
}

static void inverse(const void *c, double *out)
{
    transform(c, &(struct way){.sign = 1.0}, out);
}

static void no_roots(const void *c, double *out)
{
    transform(c, &(struct way){.sign = 0.0}, out);
}

static void no_last_stage(const void *c, double *out)
{
    const struct fft *p = c;

    transform(c, &(struct way){.sign = -1.0, .stop = p->n / 2}, out);
}

static void wrong_difference(const void *c, double *out)
{
    transform(c, &(struct way){.sign = -1.0, .subtracted = true}, out);
}

static void unscaled_root(const void *c, double *out)
{
    transform(c, &(struct way){.sign = -1.0, .root = UNSCALED}, out);
}

static void full_turn(const void *c, double *out)
{
    transform(c, &(struct way){.sign = -1.0, .root = FULL_TURN}, out);
}

static void root_of_thread(const void *c, double *out)
{
    transform(c, &(struct way){.sign = -1.0, .root = OF_THREAD}, out);
}

static void near_partner(const void *c, double *out)
{
    transform(c, &(struct way){.sign = -1.0, .near_partner = true}, out);
}

static void untransformed(const void *c, double *out)
{
    transform(c, &(struct way){.sign = -1.0, .stop = 1}, out);
}

static const struct guess guess[] = {
    {"inverse", "the angle has the other sign: the result is the inverse transform", inverse},
    {"root-missing", "the result is what comes out without the roots: sums and differences only", no_roots},
    {"stage-missing", "the result is what comes out without the last stage", no_last_stage},
    {"not-computed", "the result is the signal, unchanged", untransformed},
    {"wrong-root", "every stage has taken the root w[k], which is right in the last stage only", unscaled_root},
    {"wrong-root", "every stage has taken the root w[k * (n / half)]: the 2 is missing", full_turn},
    {"wrong-root", "every stage has taken a root by t, and not by k, which is t % half", root_of_thread},
    {"wrong-partner", "every stage has taken v from t + half, and not from t + n/2", near_partner},
    {"wrong-sign", "the second half of each butterfly is v - u, but should be u - v",
     wrong_difference},
    {NULL, NULL, NULL},
};

const struct guesses guesses_fft = {"fft", view, want, guess, NULL};
