/* qr: the tolerance and the verdict.  There is no reference: an answer is judged by what it must satisfy. */
#include <math.h>
#include <stdlib.h>

#include "common/qr.h"
#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/problems/qr.h"

enum { VECTORS = 8, MOST_CHUNKS = 16, LEAST_ROWS = 64 };
static const double in_full = 1 << 28; /* products; beyond, vectors of signs are multiplied */

/*
 * The tolerance.  A column meets n reflections.  Each is an inner product of m terms, which is asked to be as accurate
 * as a tree over runs of 64, h(m) = 64 + log2(max(m, 2)) roundings, and a multiply-add, two.  Signs of errors are
 * independent, so a sum of errors e stays below 8 sqrt(sum e^2) (Hoeffding; N. J. Higham and T. Mary 2019):
 *
 *     tau = 8 sqrt(n (h(m) + 2)) u
 *
 * and 8 sqrt(n) v more where inputs are rounded to a class's v (TF32, F16).  Then for each column, and each pair
 *
 *     norm2(a_j - Q r_j) <= tau norm2(a_j)        abs(Q'Q - I)_jk <= tau
 *
 * Where that is too much to compute, 8 vectors s of random signs take part in float64.  s adds up n columns, whose
 * errors have random signs again, by another 8:
 *
 *     norm2(Q (R s) - A s) <= 8 tau normF(A)      abs(Q'(Q s) - s)_j <= 8 tau sqrt(n)
 */
static double tolerance_of(const struct qr *p, enum math math)
{
    const double n = (double)p->n, h = 64.0 + log2(p->m > 2 ? (double)p->m : 2.0);
    const bool rounded = math == MATH_TF32 || math == MATH_F16;
    const double v = rounded ? math_unit(math) : 0.0;
    const double u = math == MATH_FAST ? math_unit(math) : 0x1p-24; /* Q and R are float32 in any class */

    return 8.0 * sqrt(n * (h + 2.0)) * u + 8.0 * sqrt(n) * v;
}

struct work {
    const struct qr *p;
    size_t grain;     /* rows of a chunk */
    size_t each;      /* numbers of a chunk's totals */
    double *totals;   /* [chunks][each] */
    const double *s;  /* [n][VECTORS] */
    const double *rs; /* [n][VECTORS] R s */
};

/* Cuts do not depend on processors, and totals are joined in order.  Returns the joint totals, or NULL. */
static double *totals_of(struct work *work, size_t each, parallel_part *part)
{
    const size_t m = work->p->m, most = m / MOST_CHUNKS + 1;

    work->grain = most > LEAST_ROWS ? most : LEAST_ROWS;
    work->each = each;
    const size_t chunks = parallel_chunks(m, work->grain);
    work->totals = calloc((chunks + 1) * each, sizeof *work->totals);
    if (work->totals == NULL)
        return NULL;
    parallel_for(m, work->grain, part, work);
    for (size_t chunk = 1; chunk < chunks; chunk++)
        for (size_t i = 0; i < each; i++)
            work->totals[i] += work->totals[chunk * each + i];
    return work->totals;
}

/* The squares of each column, which the answer cannot change any more. */
static void square_rows(void *context, size_t begin, size_t end)
{
    const struct work *work = context;
    const size_t n = work->p->n;
    double *squares = work->totals + begin / work->grain * work->each;

    for (size_t i = begin; i < end; i++)
        for (size_t j = 0; j < n; j++)
            squares[j] += (double)work->p->a[i * n + j] * work->p->a[i * n + j];
}

void *qr_solve(const void *c)
{
    struct work work = {.p = c};

    return totals_of(&work, work.p->n + 1, square_rows);
}

/* Squares of A - Q R by columns, then Q'Q, its upper half. */
static void see_rows(void *context, size_t begin, size_t end)
{
    const struct work *work = context;
    const size_t n = work->p->n;
    double *squares = work->totals + begin / work->grain * work->each, *gram = squares + n;
    double *rest = malloc((n + 1) * sizeof *rest);

    if (rest == NULL)
        abort();
    for (size_t i = begin; i < end; i++) {
        const float *a = work->p->a + i * n, *q = work->p->q + i * n;
        for (size_t j = 0; j < n; j++)
            rest[j] = a[j];
        for (size_t k = 0; k < n; k++) {
            const double factor = q[k];
            const float *r = work->p->r + k * n;
            for (size_t j = k; j < n; j++) {
                rest[j] -= factor * r[j];
                gram[k * n + j] += factor * q[j];
            }
        }
        for (size_t j = 0; j < n; j++)
            squares[j] += rest[j] * rest[j];
    }
    free(rest);
}

static void judge_in_full(struct verdict *v, const struct qr *p, const double *columns, double tau)
{
    const size_t n = p->n;
    struct work work = {.p = p};
    double *totals = totals_of(&work, n + n * n, see_rows);

    if (totals == NULL) {
        verdict_reject(v, "no memory to judge the answer");
        return;
    }
    for (size_t j = 0; j < n; j++)
        if (!verdict_see(v, "norm of a - Q r, column", j, sqrt(totals[j]), 0.0, tau * sqrt(columns[j]) + 0x1p-140))
            break;
    for (size_t k = 0; k < n && v->finite; k++)
        for (size_t j = k; j < n; j++)
            verdict_see(v, "Q'Q", k * n + j, totals[n + k * n + j], j == k ? 1.0 : 0.0, tau);
    free(totals);
}

/* Squares of Q (R s) - A s for each vector, then Q'(Q s). */
static void multiply_rows(void *context, size_t begin, size_t end)
{
    const struct work *work = context;
    const size_t n = work->p->n;
    double *squares = work->totals + begin / work->grain * work->each, *back = squares + VECTORS;

    for (size_t i = begin; i < end; i++) {
        const float *a = work->p->a + i * n, *q = work->p->q + i * n;
        double rest[VECTORS] = {0.0}, qs[VECTORS] = {0.0};
        for (size_t j = 0; j < n; j++)
            for (size_t t = 0; t < VECTORS; t++) {
                rest[t] += q[j] * work->rs[j * VECTORS + t] - a[j] * work->s[j * VECTORS + t];
                qs[t] += q[j] * work->s[j * VECTORS + t];
            }
        for (size_t j = 0; j < n; j++)
            for (size_t t = 0; t < VECTORS; t++)
                back[j * VECTORS + t] += q[j] * qs[t];
        for (size_t t = 0; t < VECTORS; t++)
            squares[t] += rest[t] * rest[t];
    }
}

static void see_vectors(struct verdict *v, const struct qr *p, const double *totals, const double *s, double norm,
                        double tau)
{
    for (size_t t = 0; t < VECTORS; t++)
        verdict_see(v, "norm of Q (R s) - A s, vector", t, sqrt(totals[t]), 0.0, 8.0 * tau * norm + 0x1p-140);
    for (size_t i = 0; i < p->n * VECTORS && v->finite; i++)
        verdict_see(v, "Q'(Q s)", i, totals[VECTORS + i], s[i], 8.0 * tau * sqrt((double)p->n));
}

static void judge_by_vectors(struct verdict *v, const struct qr *p, const double *columns, double tau, uint64_t seed)
{
    const size_t n = p->n;
    double *s = calloc(n * VECTORS, sizeof *s), *rs = calloc(n * VECTORS, sizeof *rs), *totals = NULL, squares = 0.0;
    struct work work = {.p = p, .s = s, .rs = rs};

    for (size_t i = 0; s != NULL && i < n * VECTORS; i++)
        s[i] = random_bits(seed, 0, i) % 2 == 0 ? 1.0 : -1.0;
    for (size_t k = 0; s != NULL && rs != NULL && k < n; k++) {
        squares += columns[k];
        for (size_t j = k; j < n; j++)
            for (size_t t = 0; t < VECTORS; t++)
                rs[k * VECTORS + t] += p->r[k * n + j] * s[j * VECTORS + t];
    }
    if (s != NULL && rs != NULL)
        totals = totals_of(&work, VECTORS + n * VECTORS, multiply_rows);
    if (totals != NULL)
        see_vectors(v, p, totals, s, sqrt(squares), tau);
    else
        verdict_reject(v, "no memory to judge the answer");
    v->seed = seed;
    free(totals);
    free(rs);
    free(s);
}

/* Zeros and signs are no matter of degree. */
static bool is_triangle(struct verdict *v, const struct qr *p)
{
    for (size_t k = 0; k < p->n; k++)
        for (size_t j = 0; j <= k; j++) {
            const double r = p->r[k * p->n + j];
            if (j < k ? r == 0.0 : r >= 0.0 && isfinite(r))
                continue;
            verdict_reject(v, j < k ? "r[%zu][%zu] is %g, below the diagonal it must be 0"
                                    : "r[%zu][%zu] is %g, the diagonal must be finite and not negative", k, j, r);
            return false;
        }
    return true;
}

struct verdict qr_judge(const void *c, const void *solution, enum math math, uint64_t seed)
{
    const struct qr *p = c;
    const double *columns = solution, tau = tolerance_of(p, math), n = (double)p->n;
    struct verdict v = verdict_start();

    if (p->n == 0 || !is_triangle(&v, p))
        return v;
    if ((double)p->m * n * n <= in_full)
        judge_in_full(&v, p, columns, tau);
    else
        judge_by_vectors(&v, p, columns, tau, seed);
    return v;
}
