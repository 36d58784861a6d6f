/*
 * cg: the tolerance and the verdict.
 *
 * There is no reference.  The residual r = b - A x is computed in float64 at the answer, whichever way led there.
 */
#include <math.h>
#include <stdlib.h>

#include "common/cg.h"
#include "harness/base/parallel.h"
#include "harness/problems/cg.h"

/* The answer is what must be satisfied, and nothing can be computed before it.  The block must not be NULL. */
void *cg_solve(const void *c)
{
    (void)c;
    return calloc(1, 1);
}

struct sums {
    double residual, roundings, b; /* of squares */
};

struct chunks {
    const struct cg *p;
    double u; /* roundings that may meet a product, times the unit roundoff */
    size_t grain;
    struct sums *sums;
};

/*
 * The residual may be
 *
 *     tol norm2(b) + norm2 over i of ((h u + v) sum over j of abs(a_ij x_j) + 2 u0 abs(b_i))
 *
 * A variant knows its residual no better than it computes it.  With h = 64 + log2(max(n, 2)) the middle term is the bound
 * of sums in a tree over runs of 64, of arithmetic with unit roundoff u (N. J. Higham, Accuracy and Stability of Numerical
 * Algorithms, section 4.2); it contains the rounding of x to float32, u0 = 2^-24 of each product.  v is the rounding of
 * inputs to TF32 or float16, whose sums are float32's.  The last term is b's subtraction and storage.
 */
static void add_rows(void *context, size_t begin, size_t end)
{
    const struct chunks *k = context;
    const struct cg *p = k->p;
    struct sums *to = &k->sums[begin / k->grain];

    for (size_t i = begin; i < end; i++) {
        const float *a = p->a + i * p->n;
        double sum = 0.0, size = 0.0;

#pragma omp simd reduction(+ : sum, size)
        for (size_t j = 0; j < p->n; j++) {
            const double product = (double)a[j] * p->x[j];

            sum += product;
            size += fabs(product);
        }
        const double residual = p->b[i] - sum, rounding = k->u * size + 0x1p-23 * fabs((double)p->b[i]);
        to->residual += residual * residual;
        to->roundings += rounding * rounding;
        to->b += (double)p->b[i] * p->b[i];
    }
}

static double factor(size_t n, enum math math)
{
    const bool rounded = math == MATH_TF32 || math == MATH_F16;
    const double h = 64.0 + log2(n > 2 ? (double)n : 2.0);

    return rounded ? h * 0x1p-24 + 2.0 * math_unit(math) : fmax(h * math_unit(math), 0x1p-24);
}

static bool all_finite(const struct cg *p, struct verdict *v)
{
    for (size_t i = 0; i < p->n; i++)
        if (!isfinite(p->x[i]))
            return verdict_see(v, "x", i, p->x[i], 0.0, INFINITY);
    return true;
}

struct verdict cg_judge(const void *c, const void *solution, enum math math, uint64_t seed)
{
    enum { LEAST = 16 };
    const struct cg *p = c;
    const size_t grain = parallel_grain(p->n, LEAST), count = parallel_chunks(p->n, grain);
    struct chunks k = {p, factor(p->n, math), grain, NULL};
    struct sums all = {0.0, 0.0, 0.0};
    struct verdict v = verdict_start();

    (void)solution;
    (void)seed; /* nothing is sampled */
    if (p->n == 0 || !all_finite(p, &v))
        return v;
    k.sums = calloc(count, sizeof *k.sums);
    if (k.sums == NULL)
        verdict_reject(&v, "no memory to judge %zu unknowns", p->n);
    else if (!parallel_for(p->n, grain, add_rows, &k))
        verdict_reject(&v, "interrupted");
    else {
        for (size_t i = 0; i < count; i++) {
            all.residual += k.sums[i].residual;
            all.roundings += k.sums[i].roundings;
            all.b += k.sums[i].b;
        }
        verdict_see(&v, "residual", 0, sqrt(all.residual), 0.0, (double)p->tol * sqrt(all.b) + sqrt(all.roundings));
    }
    free(k.sums);
    return v;
}
