/* matmul: common/matmul.h says what is computed; here stand sizes, data, reference, judge, cost. */
#include "common/matmul.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/problem.h"
#include "harness/random.h"

enum { M, N, K };

static const struct size check_sizes[] = {
    {"nothing", {0, 0, 0}},
    {"no rows", {0, 5, 3}},
    {"no columns", {5, 0, 3}},
    {"empty sums", {4, 5, 0}},
    {"one", {1, 1, 1}},
    {"two", {2, 2, 2}},
    {"three", {3, 3, 3}},
    {"under a warp", {31, 31, 31}},
    {"a warp", {32, 32, 32}},
    {"over a warp", {33, 33, 33}},
    {"row times column", {1, 1, 1000}},
    {"column times row", {65, 67, 1}},
    {"one row", {1, 129, 127}},
    {"one column", {129, 1, 127}},
    {"under any tile", {5, 7, 300}},
    {"primes", {127, 131, 137}},
    {"flat", {17, 1025, 64}},
    {"tall", {1025, 17, 65}},
    {"deep", {9, 11, 4099}},
    {"over a slice", {100, 257, 513}},
    {"sampled", {331, 317, 337}},
    {NULL, {0}},
};

/* S is in a second-level cache, or nearly; XL is enough for many GPUs. */
static const struct size bench_sizes[] = {
    {"S", {256, 256, 256}},    {"M", {1024, 1024, 1024}}, {"L", {4096, 4096, 4096}},
    {"XL", {8192, 8192, 8192}}, {NULL, {0}},
};

/* Square matrices, 12 KiB to 192 MiB: 4096 is seconds of work for the fastest CPU. */
static const struct growth growth = {
    .from = {32, 32, 32}, .grows = {true, true, true}, .to = 4096};

static void shape(void *c, const size_t dims[], struct arena *arena)
{
    struct matmul *p = c;

    p->m = dims[M];
    p->n = dims[N];
    p->k = dims[K];
    p->a = arena_input(arena, "a", p->m, p->k, sizeof *p->a);
    p->b = arena_input(arena, "b", p->k, p->n, sizeof *p->b);
    p->c = arena_output(arena, "c", p->m, p->n, sizeof *p->c);
}

/* The streams of random numbers: see harness/random.h. */
enum { STREAM_A, STREAM_B, STREAM_SIGN, STREAM_ROW, STREAM_COLUMN };

static void fill(void *c, uint64_t seed)
{
    struct matmul *p = c;
    float *a = (float *)p->a, *b = (float *)p->b;

    for (size_t i = 0; i < p->m * p->k; i++)
        a[i] = random_float(seed, STREAM_A, i);
    for (size_t i = 0; i < p->k * p->n; i++)
        b[i] = random_float(seed, STREAM_B, i);
}

/* --- what the answer should be ---------------------------------------------------------------- */

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

static void solve_all(const struct matmul *p, struct solution *s)
{
    for (size_t i = 0; i < p->m; i++)
        for (size_t l = 0; l < p->k; l++) {
            const double a = p->a[i * p->k + l];
            const float *b = &p->b[l * p->n];

            for (size_t j = 0; j < p->n; j++) {
                s->want[i * p->n + j] += a * b[j];
                s->size[i * p->n + j] += fabs(a * b[j]);
            }
        }
}

/* Fills in sign, b_norm, a_norm and probe; br has room for B*r, [k][strips]. */
static void solve_probe(const struct matmul *p, struct solution *s, double *br)
{
    for (size_t j = 0; j < p->n; j++)
        s->sign[j] = random_bits(s->seed, STREAM_SIGN, j) >> 63 ? 1.0 : -1.0;

    for (size_t l = 0; l < p->k; l++)
        for (size_t j = 0; j < p->n; j++) {
            const double b = p->b[l * p->n + j];

            br[l * s->strips + j / STRIP] += b * s->sign[j];
            s->b_norm[j / STRIP] += b * b;
        }
    for (size_t q = 0; q < s->strips; q++)
        s->b_norm[q] = sqrt(s->b_norm[q]);

    for (size_t i = 0; i < p->m; i++) {
        for (size_t l = 0; l < p->k; l++) {
            const double a = p->a[i * p->k + l];

            s->a_norm[i] += a * a;
            for (size_t q = 0; q < s->strips; q++)
                s->probe[i * s->strips + q] += a * br[l * s->strips + q];
        }
        s->a_norm[i] = sqrt(s->a_norm[i]);
    }
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

static void *solve(const void *c, uint64_t seed)
{
    const struct matmul *p = c;
    struct solution *s = solution_new(p, seed);
    double *br;

    if (s == NULL || s->strips == 0) {
        if (s != NULL)
            solve_all(p, s);
        return s;
    }
    br = calloc(p->k * s->strips + 1, sizeof *br);
    if (br == NULL) {
        free(s);
        return NULL;
    }
    solve_probe(p, s, br);
    free(br);
    for (size_t i = 0; i < SAMPLES; i++)
        solve_element(p, sample_place(p, seed, i), &s->want[i], &s->size[i]);
    return s;
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

static struct verdict judge(const void *c, const void *solution, enum math math)
{
    const struct matmul *p = c;
    const struct solution *s = solution;
    const size_t elements = s->strips > 0 ? SAMPLES : p->m * p->n;
    const double factor = error_factor(p->k, math);
    struct verdict v = verdict_start();
    bool go_on = true;

    for (size_t i = 0; go_on && i < elements; i++) {
        const size_t place = s->strips > 0 ? sample_place(p, s->seed, i) : i;

        go_on = verdict_see(&v, "c", place, p->c[place], s->want[i],
                            factor * s->size[i] + underflow(p->k));
    }
    for (size_t i = 0; go_on && s->strips > 0 && i < p->m; i++)
        go_on = judge_probe(&v, p, s, i, factor);

    v.columns = v.array != NULL && strcmp(v.array, "c") == 0 ? p->n : s->strips;
    return v;
}

static struct cost cost(const size_t dims[])
{
    double m = (double)dims[M], n = (double)dims[N], k = (double)dims[K];

    return (struct cost){
        .flops = 2.0 * m * n * k, .bytes = 4.0 * (m * k + k * n + m * n), .items = m * n};
}

PROBLEM(.formula = "C = A*B", .axes = {"m", "n", "k"}, .rate = RATE_FLOPS, .item = "elements",
        .check_sizes = check_sizes, .bench_sizes = bench_sizes,
        .growth = &growth, .case_bytes = sizeof(struct matmul), .shape = shape, .fill = fill,
        .solve = solve, .judge = judge, .cost = cost, .data = &matmul_data)