/* matmul: the reference, what an answer may be off by, and the verdict. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/matmul.h"
#include "harness/parallel.h"
#include "harness/problems/matmul.h"
#include "harness/random.h"

/*
 * Up to SOLVE_IN_FULL multiplications, every element of C is computed in float64.  Beyond, some
 * are: corners, edges, and others anywhere.  For the rest there is an identity (R. Freivalds,
 * "Probabilistic Machines Can Use Less Running Time", IFIP Congress 1977): with a random vector r,
 * C*r must be A*(B*r), and that takes two products of a matrix and a vector only.  It is taken over
 * strips of STRIP columns, so that a wrong element need not stand out from the rounding errors of a
 * whole row.
 */
enum { SOLVE_IN_FULL = 1 << 25, SAMPLES = 2048, STRIP = 256 };

struct solution {
    uint64_t seed;
    size_t strips;  /* 0: solved in full */
    double *want;   /* [m][n], or [SAMPLES]: elements of C */
    double *size;   /* of each, the sum over l of |a[i][l] * b[l][j]| */
    double *sign;   /* [n] the vector r: 1 or -1 */
    double *probe;  /* [m][strips] A*(B*r) */
    double *a_norm; /* [m] Euclidean lengths of the rows of A */
    double *b_norm; /* [strips] Frobenius norms of the strips of B */
    double data[];  /* all of these */
};

static bool is_large(const struct matmul *p)
{
    double mn = (double)p->m * (double)p->n;

    return mn > SOLVE_IN_FULL || mn * (double)p->k > SOLVE_IN_FULL;
}

/* Which element sample s is, as an index into c, which is not empty. */
static size_t sample_place(const struct matmul *p, uint64_t seed, size_t s)
{
    size_t i = p->m > 0 ? random_bits(seed, STREAM_ROW, s) % p->m : 0;
    size_t j = p->n > 0 ? random_bits(seed, STREAM_COLUMN, s) % p->n : 0;

    if (s < 4) { /* the corners */
        i = s & 1 ? p->m - 1 : 0;
        j = s & 2 ? p->n - 1 : 0;
    } else if (s % 4 == 0) { /* the last row and the last column, where tiles are cut */
        i = p->m - 1;
    } else if (s % 4 == 1) {
        j = p->n - 1;
    }
    return i * p->n + j;
}

static void solve_element(const struct matmul *p, size_t place, double *want, double *size)
{
    const size_t i = place / p->n, j = place % p->n;

    *want = *size = 0.0;
    for (size_t l = 0; l < p->k; l++) {
        double product = (double)p->a[i * p->k + l] * p->b[l * p->n + j];

        *want += product;
        *size += fabs(product);
    }
}

/* For the functions below, which do a part of it each: rows of C, rows of B, rows of A. */
struct solving {
    const struct matmul *p;
    struct solution *s;
    double *br;   /* [k][strips] B*r */
    double *sums; /* of each chunk of B's rows: [strips] squares, or [2][SAMPLES] want and size */
    size_t grain; /* of these chunks */
    size_t row[SAMPLES], column[SAMPLES]; /* of the samples */
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

static void probe_b(void *context, size_t begin, size_t end)
{
    const struct solving *w = context;
    const struct matmul *p = w->p;
    const size_t strips = w->s->strips;
    double *squares = w->sums + begin / w->grain * strips;

    for (size_t l = begin; l < end; l++)
        for (size_t q = 0; q < strips; q++) {
            double sum = 0.0, square = 0.0;

            for (size_t j = q * STRIP; j < (q + 1) * STRIP && j < p->n; j++) {
                const double b = p->b[l * p->n + j];

                sum += b * w->s->sign[j];
                square += b * b;
            }
            w->br[l * strips + q] = sum;
            squares[q] += square;
        }
}

/* ROWS at a time, since all of B*r is read for each. */
static void probe_a(void *context, size_t begin, size_t end)
{
    enum { ROWS = 8 };
    const struct solving *w = context;
    const struct matmul *p = w->p;
    struct solution *s = w->s;

    for (size_t first = begin; first < end; first += ROWS) {
        const size_t rows = end - first < ROWS ? end - first : ROWS;

        for (size_t l = 0; l < p->k; l++)
            for (size_t i = first; i < first + rows; i++) {
                const double a = p->a[i * p->k + l], *br = w->br + l * s->strips;
                double *probe = s->probe + i * s->strips;

                s->a_norm[i] += a * a;
#pragma omp simd
                for (size_t q = 0; q < s->strips; q++)
                    probe[q] += a * br[q];
            }
        for (size_t i = first; i < first + rows; i++)
            s->a_norm[i] = sqrt(s->a_norm[i]);
    }
}

/* Some of the products of every sample: a row of B is read once for all of them, where a sample by
   itself would fetch each of its column's elements from far away. */
static void solve_samples(void *context, size_t begin, size_t end)
{
    const struct solving *w = context;
    const struct matmul *p = w->p;
    double *want = w->sums + begin / w->grain * 2 * SAMPLES, *size = want + SAMPLES;

    for (size_t l = begin; l < end; l++)
        for (size_t i = 0; i < SAMPLES; i++) {
            const double product = (double)p->a[w->row[i] * p->k + l] * p->b[l * p->n + w->column[i]];

            want[i] += product;
            size[i] += fabs(product);
        }
}

/* Work of a chunk, in multiplications: a tenth of a millisecond. */
enum { CHUNK = 1 << 17 };

/* Fills in sign, b_norm, a_norm and probe. */
static bool solve_probe(struct solving *w)
{
    const struct matmul *p = w->p;
    struct solution *s = w->s;

    w->grain = parallel_grain(p->k, CHUNK / (p->n + 1) + 1);
    const size_t chunks = parallel_chunks(p->k, w->grain);
    w->br = calloc((p->k + chunks) * s->strips + 1, sizeof *w->br);
    if (w->br == NULL)
        return false;
    w->sums = w->br + p->k * s->strips;

    for (size_t j = 0; j < p->n; j++)
        s->sign[j] = random_bits(s->seed, STREAM_SIGN, j) >> 63 ? 1.0 : -1.0;
    parallel_for(p->k, w->grain, probe_b, w);
    for (size_t i = 0; i < chunks * s->strips; i++)
        s->b_norm[i % s->strips] += w->sums[i];
    for (size_t q = 0; q < s->strips; q++)
        s->b_norm[q] = sqrt(s->b_norm[q]);
    parallel_for(p->m, CHUNK / (p->k * s->strips + 1) + 1, probe_a, w);
    free(w->br);
    return true;
}

/* Fills in want and size of the samples. */
static bool solve_elements(struct solving *w)
{
    const struct matmul *p = w->p;
    struct solution *s = w->s;

    w->grain = parallel_grain(p->k, p->k / 64 > 64 ? p->k / 64 : 64);
    const size_t chunks = parallel_chunks(p->k, w->grain);
    w->sums = calloc(chunks * 2 * SAMPLES + 1, sizeof *w->sums);
    if (w->sums == NULL)
        return false;
    for (size_t i = 0; i < SAMPLES; i++) {
        w->row[i] = sample_place(p, s->seed, i) / p->n;
        w->column[i] = sample_place(p, s->seed, i) % p->n;
    }
    parallel_for(p->k, w->grain, solve_samples, w);
    for (size_t chunk = 0; chunk < chunks; chunk++)
        for (size_t i = 0; i < SAMPLES; i++) {
            s->want[i] += w->sums[chunk * 2 * SAMPLES + i];
            s->size[i] += w->sums[chunk * 2 * SAMPLES + SAMPLES + i];
        }
    free(w->sums);
    return true;
}

static struct solution *solution_new(const struct matmul *p, uint64_t seed)
{
    const bool large = is_large(p);
    const size_t strips = large ? (p->n + STRIP - 1) / STRIP : 0;
    const size_t elements = large ? SAMPLES : p->m * p->n;
    const size_t probed = large ? p->n + p->m * strips + p->m + strips : 0;
    struct solution *s = calloc(1, sizeof *s + (2 * elements + probed) * sizeof(double));

    if (s == NULL)
        return NULL;
    s->seed = seed;
    s->strips = strips;
    s->want = s->data;
    s->size = s->want + elements;
    if (large) {
        s->sign = s->size + elements;
        s->probe = s->sign + p->n;
        s->a_norm = s->probe + p->m * strips;
        s->b_norm = s->a_norm + p->m;
    }
    return s;
}

void *matmul_solve(const void *c, uint64_t seed)
{
    const struct matmul *p = c;
    struct solving w = {.p = p, .s = solution_new(p, seed)};

    if (w.s == NULL)
        return NULL;
    if (w.s->strips == 0) {
        parallel_for(p->m, CHUNK / (p->n * p->k + 1) + 1, solve_rows, &w);
        return w.s;
    }
    if (!solve_probe(&w) || !solve_elements(&w)) {
        free(w.s);
        return NULL;
    }
    return w.s;
}

/* --- the judge -------------------------------------------------------------------------------- */

/*
 * A sum of k products in an arithmetic of unit roundoff u, in whatever order, with or without fused
 * multiply-adds, is off by at most
 *
 *     k*u * size,   size = sum over l of |a[i][l] * b[l][j]|
 *
 * to first order in u (N. J. Higham, Accuracy and Stability of Numerical Algorithms, section 3.1).
 * Rounding errors do not conspire: with a probability that is 1 for all purposes the error stays
 * below 8*sqrt(k)*u * size (N. J. Higham and T. Mary, "A New Approach to Probabilistic Rounding
 * Error Analysis", SIAM J. Sci. Comput. 41(5), 2019, with lambda = 8).  The limit is the smaller of
 * the two, and to it are added
 *
 *     (2*v + v^2) * size   where the inputs are first rounded to TF32 or float16, with v for u;
 *                          the sums are float32's then
 *     2^-24 * size         for storing the answer as float32; |c[i][j]| is at most size
 *
 * The reference is float64: its own error is 2^-29 of the limit.
 */
static double error_factor(size_t k, enum math math)
{
    const bool rounded = math == MATH_TF32 || math == MATH_F16;
    const double u = math_unit(rounded ? MATH_F32 : math);
    const double v = rounded ? math_unit(math) : 0.0;

    return fmin((double)k, 8.0 * sqrt((double)k)) * u + (2.0 + v) * v + math_unit(MATH_F32);
}

/* Products below the smallest normal number: half the smallest subnormal each; the sum is exact. */
static double underflow(size_t k)
{
    return (double)k * 0x1p-150;
}

/*
 * Of row i in strip q, the sum over its columns of r[j] * c[i][j].  The errors e[j] of the elements
 * do not depend on r, which no rung can know, and its signs are independent of each other.  So
 * (W. Hoeffding, J. Amer. Statist. Assoc. 58, 1963), but for one time in 4*10^13,
 *
 *     |sum of r[j] * e[j]| <= 8 * sqrt(sum of e[j]^2)
 *                          <= 8 * error_factor * sqrt(sum of size[i][j]^2)
 *                          <= 8 * error_factor * a_norm[i] * b_norm[q]
 *
 * the last because size[i][j] is at most the length of row i of A times that of column j of B.
 */
static bool judge_probe(struct verdict *v, const struct matmul *p, const struct solution *s,
                        size_t i, double factor)
{
    for (size_t q = 0; q < s->strips; q++) {
        const size_t end = (q + 1) * STRIP < p->n ? (q + 1) * STRIP : p->n;
        const double limit = 8.0 * factor * s->a_norm[i] * s->b_norm[q] + STRIP * underflow(p->k);
        double sum = 0.0;

        for (size_t j = q * STRIP; j < end; j++) {
            double value = p->c[i * p->n + j], size;

            if (!isfinite(value)) { /* name the element; an overflow may even be right */
                double got = value;

                solve_element(p, i * p->n + j, &value, &size);
                if (!verdict_see(v, "c", i * p->n + j, got, value, factor * size))
                    return false;
            }
            sum += s->sign[j] * value;
        }
        if (!verdict_see(v, "C*r by strips", i * s->strips + q, sum, s->probe[i * s->strips + q],
                         limit))
            return false;
    }
    return true;
}

struct question {
    const struct matmul *p;
    const struct solution *s;
    double factor;
};

static void judge_rows(struct verdict *v, const void *context, size_t begin, size_t end)
{
    const struct question *q = context;

    for (size_t i = begin; i < end; i++)
        if (!judge_probe(v, q->p, q->s, i, q->factor))
            return;
}

/* Where C was solved in full; all of it, as one row. */
static void judge_elements(struct verdict *v, const void *context, size_t begin, size_t end)
{
    enum { PIECE = 1024 };
    const struct question *q = context;
    double limit[PIECE];

    for (size_t at = begin; at < end; at += PIECE) {
        const size_t count = end - at < PIECE ? end - at : PIECE;

        for (size_t i = 0; i < count; i++)
            limit[i] = q->factor * q->s->size[at + i] + underflow(q->p->k);
        if (!verdict_see_row(v, "c", at, count, q->p->c + at, q->s->want + at, limit))
            return;
    }
}

static void judge_samples(struct verdict *v, const struct question *q)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        const size_t place = sample_place(q->p, q->s->seed, i);

        if (!verdict_see(v, "c", place, q->p->c[place], q->s->want[i],
                         q->factor * q->s->size[i] + underflow(q->p->k)))
            return;
    }
}

struct verdict matmul_judge(const void *c, const void *solution, enum math math)
{
    enum { GRAIN = 1 << 16 }; /* elements of C */
    const struct matmul *p = c;
    const struct solution *s = solution;
    const struct question q = {p, s, error_factor(p->k, math)};
    struct verdict v = verdict_start();

    if (s->strips == 0) {
        v = verdict_of(p->m * p->n, GRAIN, judge_elements, &q);
    } else {
        judge_samples(&v, &q);
        if (v.finite) {
            const struct verdict rows = verdict_of(p->m, GRAIN / p->n + 1, judge_rows, &q);
            verdict_add(&v, &rows);
        }
    }
    v.columns = v.array != NULL && strcmp(v.array, "c") == 0 ? p->n : s->strips;
    return v;
}
