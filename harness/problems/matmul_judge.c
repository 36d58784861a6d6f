/*
 * matmul: the reference, the tolerance and the verdict.
 *
 * Up to SOLVE_IN_FULL multiplications, every element of C is computed in float64 and compared.  Beyond,
 * three things are:
 *
 *     elements    corners, edges, and random ones, to the tolerance of an element (matmul_sample.h)
 *     sums        with random signs, of all elements, row by row and column by column, to eight
 *                 standard deviations of rounding (matmul_probe.h)
 *     deviation   the mean square of all these sums' errors, to the square of one standard deviation
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/matmul.h"
#include "harness/base/parallel.h"
#include "harness/problems/matmul.h"
#include "harness/problems/matmul_probe.h"
#include "harness/problems/matmul_sample.h"

enum { SOLVE_IN_FULL = 1 << 25 };

/* The parts of an incomplete solution that depend on the draw. */
struct draw {
    bool there;
    uint64_t seed;
    struct probe probe;
    struct element sample[SAMPLES];
    double reach, squares; /* means over the samples, divided by squares of lengths of row and column */
    double *error;         /* [m] of a verdict: the sum of squares of the errors of row i's sums */
    double *allowed;       /* [m] and of their standard deviations */
};

struct solution {
    double *want, *size; /* [m][n] elements of C, and the sums over l of |a[i][l] * b[l][j]| */
    struct draw *draw;   /* if not NULL, used instead of these */
};

bool matmul_is_large(const struct matmul *p)
{
    double mn = (double)p->m * (double)p->n;

    return mn > SOLVE_IN_FULL || mn * (double)p->k > SOLVE_IN_FULL;
}

/* --- the reference ---------------------------------------------------------------------------- */

struct solving {
    const struct matmul *p;
    struct solution *s;
};

static void solve_rows(void *context, size_t begin, size_t end)
{
    const struct solving *w = context;
    const struct matmul *p = w->p;

    for (size_t i = begin; i < end; i++) {
        double *want = w->s->want + i * p->n, *size = w->s->size + i * p->n;

        for (size_t l = 0; l < p->k; l++) {
            const double a = p->a[i * p->k + l];
            const float *b = &p->b[l * p->n];

#pragma omp simd
            for (size_t j = 0; j < p->n; j++) {
                want[j] += a * b[j];
                size[j] += fabs(a * b[j]);
            }
        }
    }
}

static size_t head_bytes(const struct matmul *p)
{
    return sizeof(struct solution) + (matmul_is_large(p) ? sizeof(struct draw) : 0);
}

size_t matmul_solution_bytes(const struct matmul *p)
{
    const size_t numbers = matmul_is_large(p) ? probe_numbers(p) + 2 * p->m : 2 * p->m * p->n;

    return head_bytes(p) + numbers * sizeof(double);
}

void matmul_solve_in(void *block, const struct matmul *p)
{
    enum { CHUNK = 1 << 17 }; /* multiplications: a tenth of a millisecond */
    struct solution *s = block;
    struct solving w = {p, s};
    double *const first = (double *)(void *)((char *)s + head_bytes(p));

    if (matmul_is_large(p)) {
        s->draw = (struct draw *)(s + 1);
        s->draw->error = first;
        s->draw->allowed = first + p->m;
        probe_begin(&s->draw->probe, p, first + 2 * p->m);
    } else {
        s->want = first;
        s->size = first + p->m * p->n;
        parallel_for(p->m, CHUNK / (p->n * p->k + 1) + 1, solve_rows, &w);
    }
}

void *matmul_solve(const void *c)
{
    void *s = calloc(1, matmul_solution_bytes(c));

    if (s != NULL)
        matmul_solve_in(s, c);
    return s;
}

/* Answers that are judged by one seed share its draw.  False: out of memory. */
static bool draw_anew(struct draw *d, const struct matmul *p, uint64_t seed)
{
    if (d->there && d->seed == seed)
        return true;
    if (!probe_draw(&d->probe, p, seed) || !sample_draw(d->sample, p, seed))
        return false;
    d->there = true;
    d->seed = seed;
    d->reach = d->squares = 0.0;
    for (size_t s = 0; s < SAMPLES; s++) {
        const struct element *e = &d->sample[s];
        const double length = d->probe.a_norm[e->row] * d->probe.b_norm[e->column];

        d->reach += e->reach * e->reach / (length * length) / SAMPLES;
        d->squares += e->squares / (length * length) / SAMPLES;
    }
    return true;
}

/* --- tolerances ------------------------------------------------------------------------------ */

/*
 * A sum of k products in arithmetic of unit roundoff u, in any order, with or without fused
 * multiply-adds, has an error of at most
 *
 *     k*u * size,   size = sum over l of |a[i][l] * b[l][j]|
 *
 * to first order in u (N. J. Higham, Accuracy and Stability of Numerical Algorithms, section 3.1).
 * Rounding errors do not all have one sign: with a probability of practically 1 the error stays
 * below 8*sqrt(k)*u * size (N. J. Higham and T. Mary, "A New Approach to Probabilistic Rounding Error
 * Analysis", SIAM J. Sci. Comput. 41(5), 2019, with lambda = 8).  The tolerance is the smaller of the
 * two, plus
 *
 *     (2*v + v^2) * size   where the inputs are first rounded to TF32 or float16, with v for u;
 *                          the sums are float32's then
 *     2^-24 * size         for storing the answer as float32; |c[i][j]| is at most size
 *
 * The reference is float64: its own error is 2^-29 of the tolerance.
 */
static double error_factor(size_t k, enum math math)
{
    const bool rounded = math == MATH_TF32 || math == MATH_F16;
    const double u = math_unit(rounded ? MATH_F32 : math);
    const double v = rounded ? math_unit(math) : 0.0;

    return fmin((double)k, 8.0 * sqrt((double)k)) * u + (2.0 + v) * v + math_unit(MATH_F32);
}

/* Products below the smallest normal number: an error of half the smallest subnormal each; the sum is
   exact. */
static double underflow(size_t k)
{
    return (double)k * 0x1p-150;
}

/*
 * The tolerance for the sum over a strip of row i, of r[j] * c[i][j].  The signs of r are independent of
 * each other and unknown to the variant.  So the errors e[j] of the elements, whatever they are, have a
 * sum of variance
 *
 *     sum over j of (e[j] / b_norm[j])^2
 *
 * and with the exception of one case in 4*10^13 it stays below 8 times the root of that (W. Hoeffding, J.
 * Amer. Statist. Assoc. 58, 1963).  The errors e[j]: let L be a_norm[i] * b_norm[j], the product of
 * lengths.
 *
 *     sums       A rounding is off by u times the partial sum.  Partial sums of terms of either sign
 *                are L/sqrt(k) times sqrt(l), and the errors of k roundings are as independent: u*L/2
 *                in all (0.3 as measured).  Arithmetic that truncates is off to the same side each
 *                time, so that errors follow the partial sums: sqrt(k)/8 * u*L, where 8 products are
 *                added at once.  We allow 16 u*L, and never more than k*u*L.
 *     drift      Terms that are mostly of one sign have partial sums as large as `reach`, not L/sqrt(k).
 *                There the bound of an element holds, min(k, 8 sqrt(k)) * u * reach (above).
 *     inputs     Rounded to v, each product is off by at most v*sqrt(2/3)*|a*b| in the mean square, and
 *                the products' errors are independent: 2/3 * v^2 * (sum over l of (a*b)^2); three times
 *                that is allowed.  Truncated inputs are also off by v to one side, both a and b:
 *                2v * c[i][j]; 6 v^2 c[i][j]^2 is allowed.
 *
 * Where drift and inputs need C itself, it is the answer's own: a wrong element adds at most 10^-3 of its
 * error to its tolerance.  The last addend is underflow.
 */
struct deviation {
    double common; /* variance of an element, over L^2 */
    double own;    /* added to it, over c[i][j]^2 */
};

static struct deviation deviation_of(const struct draw *d, size_t k, enum math math)
{
    const bool rounded = math == MATH_TF32 || math == MATH_F16;
    const double u = math_unit(rounded ? MATH_F32 : math), v = rounded ? math_unit(math) : 0.0;
    const double sums = fmin((double)k, 16.0) * u;
    const double drift = fmin((double)k, 8.0 * sqrt((double)k)) * u + math_unit(MATH_F32);

    return (struct deviation){sums * sums + drift * drift * d->reach + 2.0 * v * v * d->squares,
                              drift * drift + 6.0 * v * v};
}

/* --- the verdict ------------------------------------------------------------------------------ */

struct question {
    const struct matmul *p;
    const struct solution *s;
    double factor; /* for an element */
    struct deviation deviation;
};

/* For a C that was solved in full: all of it, as one row. */
static void judge_elements(struct verdict *v, const void *context, size_t begin, size_t end)
{
    enum { PIECE = 1024 };
    const struct question *q = context;
    double tolerance[PIECE];

    for (size_t at = begin; at < end; at += PIECE) {
        const size_t count = end - at < PIECE ? end - at : PIECE;

        for (size_t i = 0; i < count; i++)
            tolerance[i] = q->factor * q->s->size[at + i] + underflow(q->p->k);
        if (!verdict_see_row(v, "c", at, count, q->p->c + at, q->s->want + at, tolerance))
            return;
    }
}

static bool judge_sample(struct verdict *v, const struct question *q, const struct element *e)
{
    const size_t place = e->row * q->p->n + e->column;

    return verdict_see(v, "c", place, q->p->c[place], e->want,
                       q->factor * e->size + underflow(q->p->k));
}

/* Of a strip of a row or a column, weighted with r. */
struct sum {
    double value, squares;
};

static struct sum sum_of(const float *c, const double *weight, size_t count)
{
    double value = 0.0, squares = 0.0;

#pragma omp simd reduction(+ : value, squares)
    for (size_t j = 0; j < count; j++) {
        const double part = weight[j] * c[j];

        value += part;
        squares += part * part;
    }
    return (struct sum){value, squares};
}

/* The same if some values are not finite.  An overflow may be right; then the expected value is summed
   instead.  Returns false if it is wrong: the verdict is then final. */
static bool sum_with_infinite(struct verdict *v, const struct question *q, size_t i, size_t first,
                              size_t count, const double *weight, struct sum *sum)
{
    *sum = (struct sum){0.0, 0.0};
    for (size_t j = first; j < first + count; j++) {
        double value = q->p->c[i * q->p->n + j];

        if (!isfinite(value)) {
            const struct element e = sample_element(q->p, i, j);
            if (!judge_sample(v, q, &e))
                return false;
            value = e.want;
        }
        sum->value += weight[j - first] * value;
        sum->squares += weight[j - first] * value * weight[j - first] * value;
    }
    return true;
}

/* Returns one standard deviation of a sum of this many elements, in a row or column of this length. */
static double deviation(const struct question *q, double length, size_t count, const struct sum *sum,
                        double scale)
{
    const struct deviation *d = &q->deviation;

    return sqrt(d->common * (double)count * length * length + d->own * sum->squares) +
           scale * underflow(q->p->k);
}

static void judge_rows(struct verdict *v, const void *context, size_t begin, size_t end)
{
    const struct question *q = context;
    const struct draw *d = q->s->draw;
    const struct probe *probe = &d->probe;
    const size_t n = q->p->n;

    for (size_t i = begin; i < end; i++) {
        const double *weight = probe->row_weight + i % VECTORS * n;

        d->error[i] = d->allowed[i] = 0.0;
        for (size_t strip = 0; strip < probe->across; strip++) {
            const size_t first = strip * STRIP, count = n - first < STRIP ? n - first : STRIP;
            const size_t at = i * probe->across + strip;
            struct sum sum = sum_of(q->p->c + i * n + first, weight + first, count);

            if (!isfinite(sum.value) &&
                !sum_with_infinite(v, q, i, first, count, weight + first, &sum))
                return;
            const double one = deviation(q, probe->a_norm[i], count, &sum, probe->row_scale[strip]);
            const double error = (sum.value - probe->row_sum[at]) / probe->a_norm[i];

            verdict_see(v, "C*r by strips", at, sum.value, probe->row_sum[at], 8.0 * one);
            d->error[i] += error * error;
            d->allowed[i] += one / probe->a_norm[i] * (one / probe->a_norm[i]);
        }
    }
}

/* AT_ONCE columns at a time; `begin` to `end` number these groups. */
enum { AT_ONCE = 8 * VECTORS };

static void judge_columns(struct verdict *v, const void *context, size_t begin, size_t end)
{
    const struct question *q = context;
    const struct probe *probe = &q->s->draw->probe;
    const size_t m = q->p->m, n = q->p->n;

    for (size_t at = begin * AT_ONCE; at < end * AT_ONCE && at < n; at += AT_ONCE) {
        const size_t columns = n - at < AT_ONCE ? n - at : AT_ONCE;

        for (size_t strip = 0; strip < probe->down; strip++) {
            const size_t first = strip * STRIP, count = m - first < STRIP ? m - first : STRIP;
            double value[AT_ONCE] = {0.0}, squares[AT_ONCE] = {0.0};

            for (size_t i = first; i < first + count; i++) {
                const float *c = q->p->c + i * n + at;
                const double *weight = probe->column_weight + i * VECTORS;
#pragma omp simd
                for (size_t j = 0; j < columns; j++) {
                    const double part = weight[j % VECTORS] * c[j];

                    value[j] += part;
                    squares[j] += part * part;
                }
            }
            for (size_t j = 0; j < columns; j++) {
                const struct sum sum = {value[j], squares[j]};
                const size_t where = strip * n + at + j;

                if (isfinite(sum.value)) /* otherwise its rows have been judged with the infinite
                                            values */
                    verdict_see(v, "r*C by strips", where, sum.value, probe->column_sum[where],
                                8.0 * deviation(q, probe->b_norm[at + j], count, &sum,
                                                probe->column_scale[strip]));
            }
        }
    }
}

/* The variance of a sum is that of its elements together.  So the mean square of all sums' errors
   shows how large the elements' errors are overall. */
static void judge_deviation(struct verdict *v, const struct question *q)
{
    const size_t m = q->p->m, n = q->p->n;
    double error = 0.0, allowed = 0.0;

    for (size_t i = 0; i < m; i++) {
        error += q->s->draw->error[i];
        allowed += q->s->draw->allowed[i];
    }
    verdict_see(v, "root mean square error", 0, sqrt(error / ((double)m * (double)n)), 0.0,
                sqrt(allowed / ((double)m * (double)n)));
}

static struct verdict judge_draw(const struct question *q)
{
    enum { GRAIN = 1 << 16 }; /* elements of C */
    const struct matmul *p = q->p;
    struct verdict v = verdict_start();

    for (size_t s = 0; s < SAMPLES; s++)
        if (!judge_sample(&v, q, &q->s->draw->sample[s]))
            return v;
    const struct verdict rows = verdict_of(p->m, GRAIN / p->n + 1, judge_rows, q);
    if (!verdict_add(&v, &rows))
        return v;
    const struct verdict columns =
        verdict_of(parallel_chunks(p->n, AT_ONCE), GRAIN / AT_ONCE / p->m + 1, judge_columns, q);
    if (verdict_add(&v, &columns))
        judge_deviation(&v, q);
    return v;
}

struct verdict matmul_judge(const void *c, const void *solution, enum math math, uint64_t seed)
{
    enum { GRAIN = 1 << 16 }; /* elements of C */
    const struct matmul *p = c;
    const struct solution *s = solution;
    struct question q = {.p = p, .s = s, .factor = error_factor(p->k, math)};
    struct verdict v = verdict_start();

    if (s->draw == NULL) {
        v = verdict_of(p->m * p->n, GRAIN, judge_elements, &q);
    } else if (draw_anew(s->draw, p, seed)) {
        q.deviation = deviation_of(s->draw, p->k, math);
        v = judge_draw(&q);
    } else {
        verdict_reject(&v, "no memory to judge %zu x %zu elements", p->m, p->n);
    }
    v.columns = v.array == NULL                             ? 0
                : strcmp(v.array, "C*r by strips") == 0     ? s->draw->probe.across
                : strcmp(v.array, "root mean square error") ? p->n
                                                            : 0;
    return v;
}
