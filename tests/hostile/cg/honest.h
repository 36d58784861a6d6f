/* The honest method, used by the bystander and by attacks: conjugate gradients from where x is. */
#ifndef RUNGS_HOSTILE_CG_H
#define RUNGS_HOSTILE_CG_H

#include <stdlib.h>
#include <string.h>

#include "common/cg.h"
#include "common/variant.h"

static float *r, *p, *q; /* the residual, the direction, A times the direction */

static inline void honest_prepare(const void *problem)
{
    const size_t n = ((const struct cg *)problem)->n;

    r = malloc(n * sizeof *r);
    p = malloc(n * sizeof *p);
    q = malloc(n * sizeof *q);
}

static inline void honest_release(void)
{
    free(r);
    free(p);
    free(q);
}

static inline double inner(size_t n, const float *u, const float *v)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += (double)u[i] * v[i];
    return sum;
}

static inline void times(const struct cg *s, const float *x, float *y)
{
    for (size_t i = 0; i < s->n; i++) {
        float sum = 0;
        for (size_t j = 0; j < s->n; j++)
            sum += s->a[i * s->n + j] * x[j];
        y[i] = sum;
    }
}

static inline void honest_from(const struct cg *s)
{
    const size_t n = s->n;
    const double enough = (double)s->tol * s->tol * inner(n, s->b, s->b);

    times(s, s->x, q);
    for (size_t i = 0; i < n; i++)
        p[i] = r[i] = s->b[i] - q[i];
    double rr = inner(n, r, r);

    for (size_t k = 0; rr > enough && k < 2 * n + 50; k++) {
        times(s, p, q);
        const double alpha = rr / inner(n, p, q), before = rr;

        for (size_t i = 0; i < n; i++) {
            s->x[i] += (float)alpha * p[i];
            r[i] -= (float)alpha * q[i];
        }
        rr = inner(n, r, r);
        for (size_t i = 0; i < n; i++)
            p[i] = r[i] + (float)(rr / before) * p[i];
    }
}

static inline void honest(const struct cg *s)
{
    memset(s->x, 0, s->n * sizeof *s->x);
    honest_from(s);
}

#endif
