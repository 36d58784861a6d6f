/* Float64 transforms of any length: fft_transform.h has the method and its error. */
#include "harness/problems/fft_transform.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "harness/base/parallel.h"

enum { GRAIN = 1 << 12 }; /* numbers in a chunk; each takes some nanoseconds */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* --- roots ------------------------------------------------------------------------------------ */

struct roots {
    size_t n;
    double complex *w;
};

static void make_roots(void *context, size_t begin, size_t end)
{
    const struct roots *r = context;

    for (size_t k = begin; k < end; k++) {
        double angle = -2.0 * M_PI * (double)k / (double)r->n;
        r->w[k] = CMPLX(cos(angle), sin(angle));
    }
}

double complex *fft_roots(size_t n)
{
    struct roots r = {n, malloc((n + 1) * sizeof *r.w)};

    if (r.w != NULL)
        parallel_for(n, GRAIN, make_roots, &r);
    return r.w;
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
    const double complex *w; /* [n] */
};

struct plan {
    size_t levels;
    struct level level[MAX_LEVELS]; /* the whole signal first; the last level has n = 1 */
    size_t leaf;                    /* the level that one thread computes with all levels below it */
    double complex *w;              /* the roots of all levels but the first */
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
        const double complex a = X[p], b = fft_times(l->w[p], X[m + p]);

        X[p] = a + b;
        X[m + p] = a - b;
    }
}

static void join_four(const struct level *l, double complex *X, size_t begin, size_t end)
{
    const size_t m = l->n / 4;

    for (size_t p = begin; p < end; p++) {
        const double complex a = X[p], b = fft_times(l->w[p], X[m + p]),
                             c = fft_times(l->w[2 * p], X[2 * m + p]),
                             d = fft_times(l->w[3 * p], X[3 * m + p]);
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
            part[k] = fft_times(l->w[k * p], X[k * m + p]);
        for (size_t j = 0; j < r; j++) {
            double complex sum = part[0];

            for (size_t k = 1; k < r; k++)
                sum += fft_times(root[j * k % r], part[k]);
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
static void transform(const struct level *l, size_t stride, const double complex *x, double complex *X)
{
    const size_t m = l->n / l->r;

    if (l->n == 1) {
        X[0] = x[0];
        return;
    }
    for (size_t k = 0; k < l->r; k++)
        if (m == 1)
            X[k] = x[k * stride];
        else
            transform(l + 1, stride * l->r, x + k * stride, X + k * m);
    join(l, X, 0, m);
}

/* One signal, from x to X.  The numbers are complex, or those of `given` where x is NULL. */
struct signal {
    const struct plan *plan;
    const struct cpx *given;
    const double complex *x;
    double complex *X;
    size_t upper; /* the level above the leaves that is being joined */
};

/* Transforms of the leaf level, numbered by where they begin in x.  The digits of that number, with
   the radices of the levels above as bases, give in reverse order the place in X.  A leaf's numbers
   are gathered first, since cache lines bring those of its neighbours along. */
static void transform_leaves(void *context, size_t begin, size_t end)
{
    const struct signal *s = context;
    const struct plan *plan = s->plan;
    const struct level *leaf = &plan->level[plan->leaf];
    const size_t leaves = plan->level[0].n / leaf->n;
    double complex x[LEAF];

    for (size_t start = begin; start < end; start++) {
        size_t rest = start, weight = leaves, place = 0;

        for (size_t i = 0; i < plan->leaf; i++) {
            weight /= plan->level[i].r;
            place += rest % plan->level[i].r * weight;
            rest /= plan->level[i].r;
        }
        for (size_t t = 0; t < leaf->n; t++)
            x[t] = s->x != NULL ? s->x[start + t * leaves] : fft_number(s->given[start + t * leaves]);
        transform(leaf, 1, x, s->X + place * leaf->n);
    }
}

/* Joins groups of r numbers at a level above the leaves, in all of its transforms. */
static void join_groups(void *context, size_t begin, size_t end)
{
    const struct signal *s = context;
    const struct level *l = &s->plan->level[s->upper];
    const size_t m = l->n / l->r;

    for (size_t at = begin; at < end;) {
        const size_t p = at % m, stop = least(m, p + end - at);

        join(l, s->X + at / m * l->n, p, stop);
        at += stop - p;
    }
}

/* Transforms one signal with all processors. */
static void transform_together(const struct plan *plan, const struct cpx *given, const double complex *x,
                               double complex *X)
{
    enum { NEIGHBOURS = 8 }; /* float32 numbers in a cache line */
    struct signal s = {plan, given, x, X, 0};
    const size_t n = plan->level[0].n;

    parallel_for(n / plan->level[plan->leaf].n, NEIGHBOURS, transform_leaves, &s);
    for (s.upper = plan->leaf; s.upper-- > 0;)
        parallel_for(n / plan->level[s.upper].r, GRAIN, join_groups, &s);
}

/* w: the roots of n, a product of 2, 3, 5 and 7 */
static bool plan_make(struct plan *plan, size_t n, const double complex *w)
{
    size_t numbers = 0;

    *plan = (struct plan){.levels = 0};
    for (size_t left = n; plan->levels == 0 || plan->level[plan->levels - 1].r > 1; left /= radix(left)) {
        plan->level[plan->levels++] = (struct level){.n = left, .r = radix(left), .w = w};
        numbers += left;
    }
    plan->w = malloc((numbers - n + 1) * sizeof *plan->w);
    if (plan->w == NULL)
        return false;
    numbers = 0;
    for (size_t i = 0; i < plan->levels; i++) {
        struct level *l = &plan->level[i];

        if (i > 0) {
            double complex *mine = plan->w + numbers;
            for (size_t k = 0; k < l->n; k++)
                mine[k] = w[k * (n / l->n)];
            l->w = mine;
            numbers += l->n;
        }
        if (l->n > LEAF)
            plan->leaf = i + 1;
    }
    return true;
}

/* --- Bluestein -------------------------------------------------------------------------------- */

struct bluestein {
    struct plan plan;      /* of m points */
    size_t n, m;
    double complex *roots; /* [m] */
    double complex *chirp; /* [n] exp(-pi i t^2 / n) */
    double complex *b;     /* [m] the transform of the conjugate chirp, over m */
    double complex *a, *A; /* [m] one signal; short ones have their own */
    const struct cpx *x;   /* what is being transformed */
    double complex *X;
};

static bool is_smooth(size_t n)
{
    while (n > 1 && radix(n) > 1)
        n /= radix(n);
    return n == 1;
}

static void make_chirp(void *context, size_t begin, size_t end)
{
    struct bluestein *s = context;

    for (size_t t = begin; t < end; t++) {
        const uint64_t square = (uint64_t)t * t % (2 * (uint64_t)s->n); /* t is below 2^32 */
        const double angle = -M_PI * (double)square / (double)s->n;
        s->chirp[t] = CMPLX(cos(angle), sin(angle));
    }
}

static void bluestein_free(struct bluestein *s)
{
    free(s->plan.w);
    free(s->roots);
    free(s->chirp);
    free(s->b);
    free(s->a);
    free(s->A);
}

static bool bluestein_make(struct bluestein *s, size_t n)
{
    size_t m = 2 * n > 0 ? 2 * n : 1; /* n is above 0, which analysers do not see */

    while (!is_smooth(m))
        m++;
    *s = (struct bluestein){.n = n, .m = m};
    s->roots = fft_roots(s->m);
    s->chirp = malloc(n * sizeof *s->chirp);
    s->b = malloc(s->m * sizeof *s->b);
    s->a = malloc(s->m * sizeof *s->a);
    s->A = malloc(s->m * sizeof *s->A);
    if (s->roots == NULL || s->chirp == NULL || s->b == NULL || s->a == NULL || s->A == NULL ||
        !plan_make(&s->plan, s->m, s->roots)) {
        bluestein_free(s);
        return false;
    }
    parallel_for(n, GRAIN, make_chirp, s);
    for (size_t t = 0; t < s->m; t++)
        s->a[t] = 0.0;
    for (size_t t = 0; t < n; t++) /* b[t] = b[-t] */
        s->a[t] = s->a[(m - t) % m] = conj(s->chirp[t]) / (double)m;
    transform_together(&s->plan, NULL, s->a, s->b);
    return true;
}

/* The three loops of a convolution, each over a part of its numbers. */
static void with_chirp(void *context, size_t begin, size_t end)
{
    const struct bluestein *s = context;

    for (size_t t = begin; t < end; t++)
        s->a[t] = t < s->n ? fft_times(fft_number(s->x[t]), s->chirp[t]) : 0.0;
}

/* The transform of a conjugate is the conjugate of the inverse transform, but for its scale. */
static void with_transformed_chirp(void *context, size_t begin, size_t end)
{
    const struct bluestein *s = context;

    for (size_t f = begin; f < end; f++)
        s->a[f] = conj(fft_times(s->A[f], s->b[f]));
}

static void with_chirp_again(void *context, size_t begin, size_t end)
{
    const struct bluestein *s = context;

    for (size_t f = begin; f < end; f++)
        s->X[f] = fft_times(conj(s->A[f]), s->chirp[f]);
}

/* Transforms whole signals, each by one thread. */
struct signals {
    const struct bluestein *s; /* NULL: n is smooth */
    const struct plan *plan;
    size_t n;
    const struct cpx *given; /* as in struct signal */
    const double complex *x;
    double complex *X;
};

static void transform_signals(void *context, size_t begin, size_t end)
{
    const struct signals *all = context;
    double complex a[LEAF], A[LEAF];

    for (size_t b = begin; b < end; b++) {
        double complex *X = all->X + b * all->n;

        if (all->x != NULL) {
            transform(&all->plan->level[0], 1, all->x + b * all->n, X);
        } else if (all->s == NULL) {
            for (size_t t = 0; t < all->n; t++)
                a[t] = fft_number(all->given[b * all->n + t]);
            transform(&all->plan->level[0], 1, a, X);
        } else {
            struct bluestein mine = *all->s;

            mine.a = a;
            mine.A = A;
            mine.x = all->given + b * all->n;
            mine.X = X;
            with_chirp(&mine, 0, mine.m);
            transform(&all->plan->level[0], 1, a, A);
            with_transformed_chirp(&mine, 0, mine.m);
            transform(&all->plan->level[0], 1, a, A);
            with_chirp_again(&mine, 0, mine.n);
        }
    }
}

static void bluestein(struct bluestein *s, const struct cpx *x, double complex *X)
{
    s->x = x;
    s->X = X;
    parallel_for(s->m, GRAIN, with_chirp, s);
    transform_together(&s->plan, NULL, s->a, s->A);
    parallel_for(s->m, GRAIN, with_transformed_chirp, s);
    transform_together(&s->plan, NULL, s->a, s->A);
    parallel_for(s->n, GRAIN, with_chirp_again, s);
}

/* --- any length ------------------------------------------------------------------------------- */

bool fft_transform(size_t batch, size_t n, const double complex *w, const struct cpx *x, double complex *X)
{
    const bool smooth = is_smooth(n);
    struct bluestein s;
    struct plan own;

    if (n == 0)
        return true;
    if (smooth ? !plan_make(&own, n, w) : !bluestein_make(&s, n))
        return false;

    const struct plan *plan = smooth ? &own : &s.plan;

    if (plan->level[0].n <= LEAF) {
        struct signals all = {smooth ? NULL : &s, plan, n, x, NULL, X};
        parallel_for(batch, GRAIN / n + 1, transform_signals, &all);
    } else {
        for (size_t b = 0; b < batch; b++)
            if (smooth)
                transform_together(plan, x + b * n, NULL, X + b * n);
            else
                bluestein(&s, x + b * n, X + b * n);
    }
    if (smooth)
        free(own.w);
    else
        bluestein_free(&s);
    return true;
}

bool fft_transform_wide(size_t batch, size_t n, const double complex *w, const double complex *x, double complex *X)
{
    struct plan plan;

    if (!is_smooth(n) || !plan_make(&plan, n, w))
        return false;
    if (n <= LEAF) {
        struct signals all = {NULL, &plan, n, NULL, x, X};
        parallel_for(batch, GRAIN / n + 1, transform_signals, &all);
    } else {
        for (size_t b = 0; b < batch; b++)
            transform_together(&plan, NULL, x + b * n, X + b * n);
    }
    free(plan.w);
    return true;
}
