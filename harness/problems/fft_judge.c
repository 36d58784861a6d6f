/* fft: the reference, the tolerance and the verdict. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "common/fft.h"
#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/problems/fft.h"

struct solution {
    bool sound;         /* the reference has passed its own check */
    double *norm;       /* [batch] ||x||_2 */
    double *peak;       /* [batch] max |X| */
    double complex X[]; /* [batch][n], followed by the above arrays */
};

/* Multiplies complex numbers without C's special treatment of infinities. */
static double complex times(double complex a, double complex b)
{
    return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b),
                 creal(a) * cimag(b) + cimag(a) * creal(b));
}

static double complex number(struct cpx a)
{
    return CMPLX(a.re, a.im);
}

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
            part += times(number(x[first + t]), row[t]);
        sum += times(part, w[k]);
        k = k + leap < n ? k + leap : k + leap - n;
    }
    return sum;
}

/* --- by factors ------------------------------------------------------------------------------- */

/*
 * Decimation in time: the transforms of every r-th number, r a factor of n, are joined by
 *
 *     X[m*j + p] = sum over k < r of exp(-2 pi i k j / r) * (exp(-2 pi i k p / n) * X_k[p])
 *
 * where m = n / r.  The transforms of m numbers are computed in the same way, down to a single number.
 * Each level has a size and its roots, w[k] = exp(-2 pi i k / n).
 */
enum { MAX_LEVELS = 64, MAX_RADIX = 7 };
enum { LEAF = 1 << 12 }; /* numbers that one thread transforms alone, in its second-level cache */

struct level {
    size_t n, r;
    double complex *w; /* [n] */
};

struct plan {
    const struct fft *p;
    struct solution *s;
    const struct cpx *x;  /* the present signal */
    double complex *X;
    size_t levels;
    struct level level[MAX_LEVELS]; /* the whole signal first; the last level has n = 1 */
    size_t leaf;                    /* the level that one thread computes with all levels below it */
    size_t upper;                   /* the level above it that is being joined */
    double complex *w;              /* the roots of all levels */
};

static size_t radix(size_t n)
{
    static const size_t radices[] = {7, 5, 3, 4, 2};

    for (size_t i = 0; i < sizeof radices / sizeof *radices; i++)
        if (n % radices[i] == 0)
            return radices[i];
    return 1;
}

/* Each joins the r transforms that follow one another in X, for p from `begin` up to `end`. */
static void join_two(const struct level *l, double complex *X, size_t begin, size_t end)
{
    const size_t m = l->n / 2;

    for (size_t p = begin; p < end; p++) {
        const double complex a = X[p], b = times(l->w[p], X[m + p]);

        X[p] = a + b;
        X[m + p] = a - b;
    }
}

static void join_four(const struct level *l, double complex *X, size_t begin, size_t end)
{
    const size_t m = l->n / 4;

    for (size_t p = begin; p < end; p++) {
        const double complex a = X[p], b = times(l->w[p], X[m + p]),
                             c = times(l->w[2 * p], X[2 * m + p]),
                             d = times(l->w[3 * p], X[3 * m + p]);
        const double complex odd = CMPLX(cimag(b) - cimag(d), creal(d) - creal(b)); /* -i (b - d) */

        X[p] = (a + c) + (b + d);
        X[m + p] = (a - c) + odd;
        X[2 * m + p] = (a + c) - (b + d);
        X[3 * m + p] = (a - c) - odd;
    }
}

static void join_any(const struct level *l, double complex *X, size_t begin, size_t end)
{
    const size_t r = l->r, m = l->n / r;
    double complex root[MAX_RADIX], part[MAX_RADIX];

    for (size_t k = 0; k < r; k++)
        root[k] = l->w[k * m];
    for (size_t p = begin; p < end; p++) {
        for (size_t k = 0; k < r; k++)
            part[k] = times(l->w[k * p], X[k * m + p]);
        for (size_t j = 0; j < r; j++) {
            double complex sum = part[0];

            for (size_t k = 1; k < r; k++)
                sum += times(root[j * k % r], part[k]);
            X[j * m + p] = sum;
        }
    }
}

static void join(const struct level *l, double complex *X, size_t begin, size_t end)
{
    if (l->r == 4)
        join_four(l, X, begin, end);
    else if (l->r == 2)
        join_two(l, X, begin, end);
    else
        join_any(l, X, begin, end);
}

/* Transforms numbers that are `stride` apart. */
static void transform(const struct level *l, size_t stride, const struct cpx *x, double complex *X)
{
    const size_t m = l->n / l->r;

    if (l->n == 1) {
        X[0] = number(x[0]);
        return;
    }
    for (size_t k = 0; k < l->r; k++)
        if (m == 1)
            X[k] = number(x[k * stride]);
        else
            transform(l + 1, stride * l->r, x + k * stride, X + k * m);
    join(l, X, 0, m);
}

/* Transforms of the leaf level, numbered by where they begin in x.  The digits of that number, with
   the radices of the levels above as bases, give in reverse order the place in X.  A leaf's numbers
   are gathered first, since cache lines bring those of its neighbours along. */
static void transform_leaves(void *context, size_t begin, size_t end)
{
    const struct plan *plan = context;
    const struct level *leaf = &plan->level[plan->leaf];
    const size_t leaves = plan->level[0].n / leaf->n;
    struct cpx x[LEAF];

    for (size_t start = begin; start < end; start++) {
        size_t rest = start, weight = leaves, place = 0;

        for (size_t i = 0; i < plan->leaf; i++) {
            weight /= plan->level[i].r;
            place += rest % plan->level[i].r * weight;
            rest /= plan->level[i].r;
        }
        for (size_t t = 0; t < leaf->n; t++)
            x[t] = plan->x[start + t * leaves];
        transform(leaf, 1, x, plan->X + place * leaf->n);
    }
}

/* Joins groups of r numbers at a level above the leaves, in all of its transforms. */
static void join_groups(void *context, size_t begin, size_t end)
{
    const struct plan *plan = context;
    const struct level *l = &plan->level[plan->upper];
    const size_t m = l->n / l->r;

    for (size_t at = begin; at < end;) {
        const size_t p = at % m, stop = least(m, p + end - at);

        join(l, plan->X + at / m * l->n, p, stop);
        at += stop - p;
    }
}

/* Transforms whole signals that fit into a second-level cache. */
static void transform_signals(void *context, size_t begin, size_t end)
{
    const struct plan *plan = context;
    const size_t n = plan->level[0].n;

    for (size_t b = begin; b < end; b++)
        transform(&plan->level[0], 1, plan->p->x + b * n, plan->s->X + b * n);
}

/* --- the reference ---------------------------------------------------------------------------- */

enum { GRAIN = 1 << 12 }; /* numbers in a chunk; each takes some nanoseconds */

static void make_roots(void *context, size_t begin, size_t end)
{
    const struct plan *plan = context;

    for (size_t k = begin; k < end; k++) {
        double angle = -2.0 * M_PI * (double)k / (double)plan->level[0].n;
        plan->w[k] = CMPLX(cos(angle), sin(angle));
    }
}

static bool plan_make(struct plan *plan, const struct fft *p, struct solution *s)
{
    size_t numbers = 0;

    *plan = (struct plan){.p = p, .s = s};
    for (size_t n = p->n; plan->levels == 0 || plan->level[plan->levels - 1].r > 1;
         n /= radix(n)) {
        plan->level[plan->levels++] = (struct level){.n = n, .r = radix(n)};
        numbers += n;
    }
    plan->w = malloc(numbers * sizeof *plan->w);
    if (plan->w == NULL)
        return false;
    parallel_for(p->n, GRAIN, make_roots, plan);
    numbers = 0;
    for (size_t i = 0; i < plan->levels; i++) {
        struct level *l = &plan->level[i];
        l->w = plan->w + numbers;
        for (size_t k = 0; i > 0 && k < l->n; k++)
            l->w[k] = plan->w[k * (p->n / l->n)];
        numbers += l->n;
        if (l->n > LEAF)
            plan->leaf = i + 1;
    }
    return true;
}

/* Computes numbers of the answer by the definition. */
static void solve_directly(void *context, size_t begin, size_t end)
{
    const struct plan *plan = context;
    const size_t n = plan->p->n;

    for (size_t i = begin; i < end; i++)
        plan->s->X[i] = direct(n, plan->w, plan->p->x + i / n * n, i % n);
}

static void solve_by_factors(struct plan *plan)
{
    enum { NEIGHBOURS = 8 }; /* numbers of x in a cache line */
    const struct fft *p = plan->p;

    if (plan->leaf == 0) {
        parallel_for(p->batch, GRAIN / p->n + 1, transform_signals, plan);
        return;
    }
    for (size_t b = 0; b < p->batch; b++) {
        plan->x = p->x + b * p->n;
        plan->X = plan->s->X + b * p->n;
        parallel_for(p->n / plan->level[plan->leaf].n, NEIGHBOURS, transform_leaves, plan);
        for (plan->upper = plan->leaf; plan->upper-- > 0;)
            parallel_for(p->n / plan->level[plan->upper].r, GRAIN, join_groups, plan);
    }
}

/* --- is it sound? ----------------------------------------------------------------------------- */

/* Checks the reference itself.  The energies must agree (Parseval: ||X||^2 = n ||x||^2), and some bins
   must agree with the definition, to a small part of the tolerance.  No answer is involved, so the
   bins may be the same each time. */
struct examination {
    const struct plan *plan;
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
    const struct fft *p = e->plan->p;
    struct solution *s = e->plan->s;

    for (size_t b = begin; b < end; b++) {
        double in = 0.0, out = 0.0, most = 0.0;

        for (size_t i = b * p->n; i < (b + 1) * p->n; i++) {
            const double here = square(s->X[i]);
            in += square(number(p->x[i]));
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
    const struct fft *p = e->plan->p;

    for (size_t i = begin; i < end; i++) {
        const size_t b = i / e->bins;
        const size_t f = (size_t)(random_unit(b, 2, i % e->bins) * (double)p->n);

        e->error[i] = cabs(direct(p->n, e->plan->w, p->x + b * p->n, f) -
                           e->plan->s->X[b * p->n + f]);
    }
}

/* Computes norm and peak, and returns whether the reference is the transform: by its energy and `bins`
   bins of each signal. */
static bool is_sound(const struct plan *plan, size_t bins)
{
    const struct fft *p = plan->p;
    double *numbers = calloc(p->batch * (1 + bins) + 1, sizeof *numbers);
    struct examination e = {plan, bins, numbers, NULL};
    bool sound = true;

    if (numbers == NULL)
        return false;
    e.error = numbers + p->batch;
    parallel_for(p->batch, GRAIN / p->n + 1, measure, &e);
    parallel_for(p->batch * bins, GRAIN / p->n + 1, examine, &e);
    for (size_t b = 0; b < p->batch; b++) {
        const double allowed = tolerance(plan->s->norm[b]);

        sound = sound && fabs(sqrt(e.energy[b]) - plan->s->norm[b]) <= allowed;
        for (size_t i = 0; i < bins; i++)
            sound = sound && e.error[b * bins + i] <= allowed;
    }
    free(numbers);
    return sound;
}

/* Small transforms are computed by the definition; others by factors, with a few dozen bins of the
   batch checked against the definition. */
void *fft_solve(const void *c)
{
    const struct fft *p = c;
    const size_t numbers = p->batch * p->n;
    const bool small = (double)numbers * (double)p->n < 0x1p24;
    struct solution *s = malloc(sizeof *s + numbers * sizeof *s->X + 2 * p->batch * sizeof(double));
    struct plan plan = {.w = NULL};

    if (s == NULL || !plan_make(&plan, p, s)) {
        free(s);
        return NULL;
    }
    s->norm = (double *)(s->X + numbers);
    s->peak = s->norm + p->batch;
    if (small)
        parallel_for(numbers, (1 << 16) / p->n + 1, solve_directly, &plan);
    else
        solve_by_factors(&plan);
    s->sound = is_sound(&plan, small ? 0 : 1 + 48 / (p->batch + 1));
    free(plan.w);
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
 */
static double allowed(size_t n, double norm, double peak, double u)
{
    return 4.0 * u * fmax((log2((double)n) + 1.0) * norm, peak) + 0x1p-149;
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
