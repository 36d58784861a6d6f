/* A right answer, for the files of this folder to get a part of it wrong. */
#ifndef RUNGS_BROKEN_QR_FRAME_H
#define RUNGS_BROKEN_QR_FRAME_H

#include <math.h>
#include <stdlib.h>

#include "common/qr.h"

/* Gram and Schmidt's method, modified and done twice, in float64; from column `some` on it takes nothing away.
   It sees `rows` rows. */
static inline void orthogonalise(const struct qr *p, size_t rows, size_t some)
{
    const size_t m = rows, n = p->n;
    double *w = calloc(m * n + 1, sizeof *w);

    for (size_t i = 0; i < m * n; i++)
        w[i] = p->a[i];
    for (size_t i = 0; i < n * n; i++)
        p->r[i] = 0.0f;
    for (size_t j = 0; j < n; j++) {
        double squares = 0.0;
        for (size_t k = 0; k < (j < some ? 2 * j : 0); k++) {
            double dot = 0.0;
            for (size_t i = 0; i < m; i++)
                dot += w[i * n + k % j] * w[i * n + j];
            for (size_t i = 0; i < m; i++)
                w[i * n + j] -= dot * w[i * n + k % j];
            p->r[k % j * n + j] += (float)dot;
        }
        for (size_t i = 0; i < m; i++)
            squares += w[i * n + j] * w[i * n + j];
        p->r[j * n + j] = (float)sqrt(squares);
        for (size_t i = 0; i < m && squares > 0.0; i++)
            w[i * n + j] /= sqrt(squares);
    }
    for (size_t i = 0; i < m * n; i++)
        p->q[i] = (float)w[i];
    free(w);
}

static inline void full(const struct qr *p)
{
    orthogonalise(p, p->m, p->n);
}

/* A step of Cholesky's method, in float32: the Gram matrix of q is U'U; q becomes q U^-1, and u is U.  A pivot below
   `least` of its column's square is replaced by that; 0: it is taken as it is. */
static inline void cholesky_step(const struct qr *p, float *u, float least)
{
    const size_t m = p->m, n = p->n;

    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < n; j++) {
            double dot = 0.0;
            for (size_t i = 0; i < m && j >= k; i++)
                dot += (double)p->q[i * n + k] * p->q[i * n + j];
            u[k * n + j] = (float)dot;
        }
    for (size_t k = 0; k < n; k++) {
        const float square = u[k * n + k];
        for (size_t j = k; j < n; j++)
            for (size_t l = 0; l < k; l++)
                u[k * n + j] -= u[l * n + k] * u[l * n + j];
        if (least > 0.0f)
            u[k * n + k] = fmaxf(u[k * n + k], least * square);
        u[k * n + k] = sqrtf(u[k * n + k]);
        for (size_t j = k + 1; j < n; j++)
            u[k * n + j] /= u[k * n + k];
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            float *q = p->q + i * n;
            for (size_t k = 0; k < j; k++)
                q[j] -= q[k] * u[k * n + j];
            q[j] /= u[j * n + j];
        }
}

#endif
