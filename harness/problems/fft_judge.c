/* fft: the reference, the tolerance and the verdict. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "common/fft.h"
#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/problems/fft.h"
#include "harness/problems/fft_transform.h"

struct solution {
    bool sound;         /* the reference has passed its own check */
    double *norm;       /* [batch] ||x||_2 */
    double *peak;       /* [batch] max |X| */
    double complex X[]; /* [batch][n], followed by the above arrays */
};

static double square(double complex a)
{
    return creal(a) * creal(a) + cimag(a) * cimag(a);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --- by the definition ------------------------------------------------------------------------ */

/* Returns one frequency by the definition.  w: [n] roots, w[k] = exp(-2 pi i k / n).  The roots of ROW
   neighbouring t follow from those of the first ROW by one factor, so that w is not fetched all over
   its length. */
static double complex direct(size_t n, const double complex *w, const struct cpx *x, size_t f)
{
    enum { ROW = 512 };
    double complex row[ROW], sum = 0.0;
    size_t leap = 0; /* f*t mod n, at the end for t = ROW */

    for (size_t t = 0; t < least(n, ROW); t++) {
        row[t] = w[leap];
        leap = leap + f < n ? leap + f : leap + f - n;
    }
    for (size_t first = 0, k = 0; first < n; first += ROW) {
        double complex part = 0.0;

        for (size_t t = 0; t < least(n - first, ROW); t++)
            part += fft_times(fft_number(x[first + t]), row[t]);
        sum += fft_times(part, w[k]);
        k = k + leap < n ? k + leap : k + leap - n;
    }
    return sum;
}

enum { GRAIN = 1 << 12 }; /* numbers in a chunk; each takes some nanoseconds */

struct reference {
    const struct fft *p;
    struct solution *s;
    const double complex *w; /* [n] roots */
};

/* Computes numbers of the answer by the definition. */
static void solve_directly(void *context, size_t begin, size_t end)
{
    const struct reference *r = context;
    const size_t n = r->p->n;

    for (size_t i = begin; i < end; i++)
        r->s->X[i] = direct(n, r->w, r->p->x + i / n * n, i % n);
}

/* --- is it sound? ----------------------------------------------------------------------------- */

/* Checks the reference itself.  The energies must agree (Parseval: ||X||^2 = n ||x||^2), and some bins
   must agree with the definition, to a small part of the tolerance.  No answer is involved, so the
   bins may be the same each time. */
struct examination {
    const struct reference *r;
    size_t bins;    /* for each signal */
    double *energy; /* [batch] ||X||^2 / n */
    double *error;  /* [batch][bins] */
};

static double tolerance(double norm)
{
    return 0x1p-32 * norm;
}

static void measure(void *context, size_t begin, size_t end)
{
    const struct examination *e = context;
    const struct fft *p = e->r->p;
    struct solution *s = e->r->s;

    for (size_t b = begin; b < end; b++) {
        double in = 0.0, out = 0.0, most = 0.0;

        for (size_t i = b * p->n; i < (b + 1) * p->n; i++) {
            const double here = square(s->X[i]);
            in += square(fft_number(p->x[i]));
            out += here;
            most = here > most ? here : most;
        }
        s->norm[b] = sqrt(in);
        s->peak[b] = sqrt(most);
        e->energy[b] = out / (double)p->n;
    }
}

static void examine(void *context, size_t begin, size_t end)
{
    const struct examination *e = context;
    const struct fft *p = e->r->p;

    for (size_t i = begin; i < end; i++) {
        const size_t b = i / e->bins;
        const size_t f = (size_t)(random_unit(b, 2, i % e->bins) * (double)p->n);

        e->error[i] = cabs(direct(p->n, e->r->w, p->x + b * p->n, f) -
                           e->r->s->X[b * p->n + f]);
    }
}

/* Computes norm and peak, and returns whether the reference is the transform: by its energy and `bins`
   bins of each signal. */
static bool is_sound(const struct reference *r, size_t bins)
{
    const struct fft *p = r->p;
    double *numbers = calloc(p->batch * (1 + bins) + 1, sizeof *numbers);
    struct examination e = {r, bins, numbers, NULL};
    bool sound = true;

    if (numbers == NULL)
        return false;
    e.error = numbers + p->batch;
    parallel_for(p->batch, GRAIN / p->n + 1, measure, &e);
    parallel_for(p->batch * bins, GRAIN / p->n + 1, examine, &e);
    for (size_t b = 0; b < p->batch; b++) {
        const double allowed = tolerance(r->s->norm[b]);

        sound = sound && fabs(sqrt(e.energy[b]) - r->s->norm[b]) <= allowed;
        for (size_t i = 0; i < bins; i++)
            sound = sound && e.error[b * bins + i] <= allowed;
    }
    free(numbers);
    return sound;
}

/* Small transforms are computed by the definition; others by a fast transform in float64, with a few dozen bins of the
   batch checked against the definition. */
void *fft_solve(const void *c)
{
    const struct fft *p = c;
    const size_t numbers = p->batch * p->n;
    const bool small = (double)numbers * (double)p->n < 0x1p24;
    struct solution *s = malloc(sizeof *s + numbers * sizeof *s->X + 2 * p->batch * sizeof(double));
    double complex *w = fft_roots(p->n);
    struct reference r = {p, s, w};

    if (s != NULL && w != NULL && small)
        parallel_for(numbers, (1 << 16) / p->n + 1, solve_directly, &r);
    else if (s == NULL || w == NULL || !fft_transform(p->batch, p->n, w, p->x, s->X)) {
        free(s);
        free(w);
        return NULL;
    }
    s->norm = (double *)(s->X + numbers);
    s->peak = s->norm + p->batch;
    s->sound = is_sound(&r, small ? 0 : 1 + 48 / (p->batch + 1));
    free(w);
    return s;
}

/* --- judge ------------------------------------------------------------------------------------ */

/*
 * The computed transform of n = 2^k points, with weights good to the unit roundoff u, has an error of
 *
 *     ||error||_2 <= log2(n) * c u * ||X||_2
 *
 * with c about 7 in the worst case (N. J. Higham, Accuracy and Stability of Numerical Algorithms, theorem
 * 24.2).  Since roundings are almost random, the actual error is much smaller.  ||X||_2 =
 * sqrt(n)*||x||_2, and a bin's root mean square share of the error is 1/sqrt(n) of the whole.  So each
 * bin is allowed, with c = 4 and one more pass for the rounding of input and answer,
 *
 *     |error| <= 4u * (log2(n) + 1) * ||x||_2
 *
 * If a signal has a high peak in its spectrum (a pure tone, a constant), the last passes round numbers as
 * large as that peak, in its own bin and in those that share a butterfly with it.  There 4u * max|X| is
 * allowed, if that is more; for noise it is less.
 *
 * Below the smallest normal number u no longer bounds the rounding of a product; half the smallest subnormal number
 * does.  Some 2(n - 1) products reach each part of a bin.  Their roundings have independent signs, so their sum stays
 * below lambda = 8 times the square root of their number, times that half, but for once in 4e13 (Hoeffding).
 */
static double allowed(size_t n, double norm, double peak, double u)
{
    const double smallest = 0x1p-149, products = 2.0 * ((double)n - 1.0);

    return 4.0 * u * fmax((log2((double)n) + 1.0) * norm, peak) + smallest * (1.0 + 4.0 * sqrt(products));
}

struct question {
    const struct fft *p;
    const struct solution *s;
    double u;
};

static void judge_numbers(struct verdict *v, const void *context, size_t begin, size_t end)
{
    enum { PIECE = 512 };
    const struct question *q = context;
    const size_t n = q->p->n;
    double tolerance[2 * PIECE];

    for (size_t at = begin, count; at < end; at += count) {
        const size_t b = at / n;

        count = least(least(end - at, n - at % n), PIECE); /* within one signal */
        for (size_t i = 0; i < 2 * count; i++)
            tolerance[i] = i == 0 ? allowed(n, q->s->norm[b], q->s->peak[b], q->u) : tolerance[0];
        if (!verdict_see_row(v, "X", 2 * at, 2 * count, &q->p->X[at].re,
                             (const double *)&q->s->X[at], tolerance))
            return;
    }
}

struct verdict fft_judge(const void *c, const void *solution, enum math math, uint64_t seed)
{
    const struct fft *p = c;
    const struct solution *s = solution;
    /* the answer is stored as float32 anyway */
    const struct question q = {p, s, math_unit(math == MATH_F64 ? MATH_F32 : math)};
    struct verdict v = verdict_start();

    if (s->sound)
        v = verdict_of(p->batch * p->n, 1 << 15, judge_numbers, &q);
    else
        verdict_reject(&v, "the reference has failed its own check");
    (void)seed; /* nothing is sampled */
    v.columns = 2; /* a place is [number in the batch][0: real, 1: imaginary part] */
    return v;
}
