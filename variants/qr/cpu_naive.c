/*
 * qr / cpu_naive
 *
 * Idea     Householder's method (common/qr.h), a column at a time, in float64: a reflection maps what is left of
 *          column k onto the diagonal.  R is what the reflections leave.  Q is the identity, reflected backwards.
 * Against  nothing; this is what the other variants are compared with.
 * Expect   The matrix is read about 4 n times, along columns: memory, not arithmetic.
 * Try      float in place of double: the judge still accepts it.  How much slower is it on long matrices?
 * Level    1
 * Read     nothing else
 */
#include <math.h>
#include <stdlib.h>

#include "common/qr.h"
#include "common/variant.h"

static double *w;    /* [m][n] the matrix, then reflectors below and on the diagonal, R above it */
static double *diag; /* [n] R's diagonal */
static double *beta; /* [n] 2 / |v|^2, or 0: no reflection */

static void prepare(const void *problem)
{
    const struct qr *p = problem;

    w = malloc((p->m * p->n + 1) * sizeof *w);
    diag = malloc((p->n + 1) * sizeof *diag);
    beta = malloc((p->n + 1) * sizeof *beta);
}

/* v is column k of w from row k on: x minus its image, with the sign that cancels nothing. */
static void make_reflector(size_t m, size_t n, size_t k)
{
    double squares = 0.0;

    for (size_t i = k; i < m; i++)
        squares += w[i * n + k] * w[i * n + k];
    diag[k] = w[k * n + k] > 0.0 ? -sqrt(squares) : sqrt(squares);
    w[k * n + k] -= diag[k];
    /* |v|^2 = 2 (|x|^2 + |x_k| |x|) = -2 diag v_k */
    beta[k] = squares > 0.0 ? -1.0 / (diag[k] * w[k * n + k]) : 0.0;
}

/* The column less factor (v . column) v; v lies in an array of n columns. */
static void reflect(const double *v, size_t n, double *column, size_t stride, size_t rows, double factor)
{
    double dot = 0.0;

    for (size_t i = 0; i < rows; i++)
        dot += v[i * n] * column[i * stride];
    for (size_t i = 0; i < rows; i++)
        column[i * stride] -= factor * dot * v[i * n];
}

static void write_r(const struct qr *p)
{
    for (size_t k = 0; k < p->n; k++)
        for (size_t j = 0; j < p->n; j++) {
            const double r = j < k ? 0.0 : j == k ? diag[k] : w[k * p->n + j];
            /* Rows of R are turned so that the diagonal is not negative; Q's columns follow. */
            p->r[k * p->n + j] = j < k ? 0.0f : (float)(diag[k] < 0.0 ? -r : r);
        }
}

static void write_q_column(const struct qr *p, size_t j, double *column)
{
    for (size_t i = 0; i < p->m; i++)
        column[i] = i == j ? 1.0 : 0.0;
    for (size_t k = j + 1; k-- > 0;)
        reflect(w + k * p->n + k, p->n, column + k, 1, p->m - k, beta[k]);
    for (size_t i = 0; i < p->m; i++)
        p->q[i * p->n + j] = (float)(diag[j] < 0.0 ? -column[i] : column[i]);
}

static void run(const void *problem)
{
    const struct qr *p = problem;
    double *column = malloc((p->m + 1) * sizeof *column);

    for (size_t i = 0; i < p->m * p->n; i++)
        w[i] = p->a[i];
    for (size_t k = 0; k < p->n; k++) {
        make_reflector(p->m, p->n, k);
        for (size_t j = k + 1; j < p->n; j++)
            reflect(w + k * p->n + k, p->n, w + k * p->n + j, p->n, p->m - k, beta[k]);
    }
    write_r(p);
    for (size_t j = 0; j < p->n; j++)
        write_q_column(p, j, column);
    free(column);
}

static void release(void)
{
    free(w);
    free(diag);
    free(beta);
}

VARIANT(.idea = "Householder, a column at a time, in float64", .math = MATH_F64, .prepare = prepare, .run = run,
        .release = release)
