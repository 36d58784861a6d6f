/* Right conjugate gradients in parts, for the files of this folder to get one of them wrong. */
#ifndef RUNGS_BROKEN_CG_FRAME_H
#define RUNGS_BROKEN_CG_FRAME_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/cg.h"

static float *r, *p, *q;

static inline double inner(size_t n, const float *u, const float *v)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += (double)u[i] * v[i];
    return sum;
}

static inline void multiply(const struct cg *s, size_t columns)
{
    for (size_t i = 0; i < s->n; i++) {
        float sum = 0.0f;

        for (size_t j = 0; j < columns; j++)
            sum += s->a[i * s->n + j] * p[j];
        q[i] = sum;
    }
}

static inline double begin(const struct cg *s)
{
    const size_t bytes = s->n * sizeof(float);

    r = malloc(bytes + 1); /* n may be 0 */
    p = malloc(bytes + 1);
    q = malloc(bytes + 1);
    memset(s->x, 0, bytes);
    memcpy(r, s->b, bytes);
    memcpy(p, s->b, bytes);
    return inner(s->n, r, r);
}

/* x and r move by alpha along p.  Returns the new square of r. */
static inline double step(const struct cg *s, double alpha)
{
    for (size_t i = 0; i < s->n; i++) {
        s->x[i] += (float)alpha * p[i];
        r[i] -= (float)alpha * q[i];
    }
    return inner(s->n, r, r);
}

static inline void turn(const struct cg *s, double beta)
{
    for (size_t i = 0; i < s->n; i++)
        p[i] = r[i] + (float)beta * p[i];
}

static inline void end(void)
{
    free(r);
    free(p);
    free(q);
}

/* All of it, to a tolerance, with A's first columns. */
static inline void solve(const struct cg *s, double tol, size_t columns)
{
    double rr = begin(s);
    const double enough = tol * tol * rr;

    for (size_t k = 0; rr > enough && k < 2 * s->n + 50; k++) {
        multiply(s, columns);

        const double before = rr;
        rr = step(s, rr / inner(s->n, p, q));
        turn(s, rr / before);
    }
    end();
}

#endif
