/* logreg: the gradient at the answer, the tolerance and the verdict. */
#include <math.h>
#include <stdlib.h>

#include "common/logreg.h"
#include "harness/base/parallel.h"
#include "harness/problems/logreg.h"

/* There is nothing to know before an answer: its own gradient says whether it is right. */
void *logreg_solve(const void *c)
{
    (void)c;
    return malloc(1);
}

/*
 * An answer is right if its gradient is within tau, as far as a program in its arithmetic can know that gradient:
 *
 *     |g_j| <= tau + gamma_j
 *
 * g is computed in float64.  gamma_j bounds the rounding errors of a gradient in the variant's own arithmetic.  Let u be
 * the unit roundoff of that arithmetic, and v that of its inputs if it rounds them (TF32, F16), else 0.  A margin
 * z_i = x_i . w + c is a sum of n + 1 products, which is off by d_i at most, with k = min(n + 2, 8 sqrt(n + 2)): the second
 * by the statistics of rounding errors (N. Higham, T. Mary, SIAM J. Sci. Comput. 41(5), 2019).  The logistic function is
 * steepest at 0, so between z_i - d_i and z_i + d_i its slope is at most s(max(|z_i| - d_i, 0)), s(t) = exp(-t)/(1 + exp(-t))^2.
 * Its own exponential and quotient are off by 4 u at most, and subtracting the label by u0:
 *
 *     d_i     = (k u + 2 v) (sum_j |x_ij w_j| + |c|)
 *     e_i     = d_i s(max(|z_i| - d_i, 0)) + 4 u p_i (1 - p_i) + 2 u0
 *
 * The sum over the samples must be as accurate as a tree over runs of 64: h = 64 + log2(max(m, 2)).
 *
 *     gamma_j = (1/m) sum_i |x_ij| e_i + h u (1/m) sum_i |r_i x_ij| + 2 u0 lambda |w_j|
 *
 * x_in is 1 for the intercept, which has no last term.  u0 = 2^-24.  At the sizes of the benchmark gamma is below a
 * tenth of tau.
 *
 * gamma grows with the answer, so far from the minimum it would excuse any gradient.  No method needs an answer that is worse
 * than none: where w and c are 0, the function to minimise is log 2.  Twice that is the most at an answer.
 */
struct arithmetic {
    double u, v, k, h;
};

static struct arithmetic arithmetic_of(const struct logreg *p, enum math math)
{
    const bool rounded = math == MATH_TF32 || math == MATH_F16;
    const double terms = (double)p->n + 2.0;

    return (struct arithmetic){
        .u = rounded ? 0x1p-24 : math_unit(math),
        .v = rounded ? math_unit(math) : 0.0,
        .k = fmin(terms, 8.0 * sqrt(terms)),
        .h = 64.0 + log2(p->m > 2 ? (double)p->m : 2.0),
    };
}

/* Sums for each component, of each chunk of rows; LOSS has one alone. */
enum { GRADIENT, ROUNDINGS, MAGNITUDES, LOSS, SUMS };

struct chunks {
    const struct logreg *p;
    struct arithmetic a;
    size_t grain;
    double *sums; /* [chunks][SUMS][n + 1] */
};

/* Adds a row to the sums. */
static void add_row(const struct chunks *k, size_t i, double *sums)
{
    const struct logreg *p = k->p;
    const size_t n = p->n;
    const float *x = p->x + i * n;
    double margin = p->w[n], size = fabs((double)p->w[n]);

    for (size_t j = 0; j < n; j++) {
        const double term = (double)x[j] * p->w[j];
        margin += term;
        size += fabs(term);
    }
    /* 1/(1 + exp(-z)) loses no digit that counts, at either end */
    const double other = 1.0 / (1.0 + exp(margin)), share = 1.0 / (1.0 + exp(-margin));
    const double r = p->y[i] != 0 ? -other : share;
    const double off = (k->a.k * k->a.u + 2.0 * k->a.v) * size, near = exp(-fmax(fabs(margin) - off, 0.0));
    sums[LOSS * (n + 1)] += fmax(p->y[i] != 0 ? -margin : margin, 0.0) + log1p(exp(-fabs(margin)));
    const double e = off * near / ((1.0 + near) * (1.0 + near)) + 4.0 * k->a.u * share * other + 0x1p-23;

    for (size_t j = 0; j <= n; j++) {
        const double xj = j < n ? (double)x[j] : 1.0;
        sums[GRADIENT * (n + 1) + j] += r * xj;
        sums[ROUNDINGS * (n + 1) + j] += e * fabs(xj);
        sums[MAGNITUDES * (n + 1) + j] += fabs(r * xj);
    }
}

static void add_rows(void *context, size_t begin, size_t end)
{
    const struct chunks *k = context;
    double *sums = k->sums + begin / k->grain * SUMS * (k->p->n + 1);

    for (size_t i = begin; i < end; i++)
        add_row(k, i, sums);
}

static double mean(const struct chunks *k, int which, size_t j)
{
    const size_t count = parallel_chunks(k->p->m, k->grain), width = k->p->n + 1;
    double sum = 0.0;

    for (size_t c = 0; c < count; c++)
        sum += k->sums[(c * SUMS + (size_t)which) * width + j];
    return sum / (double)k->p->m;
}

static bool is_finite(const struct logreg *p, struct verdict *v)
{
    for (size_t j = 0; j <= p->n; j++)
        if (!isfinite(p->w[j]))
            return verdict_see(v, "w", j, p->w[j], 0.0, INFINITY);
    return true;
}

static void judge_size(const struct chunks *k, struct verdict *v)
{
    double f = mean(k, LOSS, 0);

    for (size_t j = 0; j < k->p->n; j++)
        f += 0.5 * k->p->lambda * k->p->w[j] * k->p->w[j];
    if (!(f <= 2.0 * M_LN2))
        verdict_see(v, "minimum", 0, f, M_LN2, M_LN2);
}

static void judge_gradient(const struct chunks *k, struct verdict *v)
{
    const struct logreg *p = k->p;

    for (size_t j = 0; j <= p->n; j++) {
        const double penalty = j < p->n ? (double)p->lambda * p->w[j] : 0.0;
        const double g = mean(k, GRADIENT, j) + penalty;
        const double gamma = mean(k, ROUNDINGS, j) + k->a.h * k->a.u * mean(k, MAGNITUDES, j) +
                             0x1p-23 * fabs(penalty);
        if (!verdict_see(v, "gradient", j, g, 0.0, (double)p->tau + gamma))
            return;
    }
}

struct verdict logreg_judge(const void *c, const void *solution, enum math math, uint64_t seed)
{
    enum { LEAST = 1024 };
    const struct logreg *p = c;
    struct chunks k = {p, arithmetic_of(p, math), parallel_grain(p->m, LEAST), NULL};
    struct verdict v = verdict_start();

    (void)solution;
    (void)seed; /* nothing is sampled */
    if (!is_finite(p, &v))
        return v;
    k.sums = calloc(parallel_chunks(p->m, k.grain) * SUMS * (p->n + 1), sizeof *k.sums);
    if (k.sums == NULL)
        verdict_reject(&v, "no memory to judge %zu samples", p->m);
    else if (!parallel_for(p->m, k.grain, add_rows, &k))
        verdict_reject(&v, "interrupted");
    else {
        judge_size(&k, &v);
        judge_gradient(&k, &v);
    }
    free(k.sums);
    return v;
}
