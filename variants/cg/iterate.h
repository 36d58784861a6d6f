/*
 * Conjugate gradients around a product, for variants whose idea is how they compute A p.  cpu_naive explains the method.
 * What is not the product is 10 n numbers an iteration beside n^2.
 */
#ifndef RUNGS_CG_ITERATE_H
#define RUNGS_CG_ITERATE_H

#include <stdlib.h>
#include <string.h>

#include "common/cg.h"

static float *residual, *direction, *image; /* r, p, and q = A p */
static size_t iterations;                   /* of the last call */

static void iterate_prepare(const void *problem)
{
    const size_t bytes = ((const struct cg *)problem)->n * sizeof(float);

    residual = (float *)malloc(bytes);
    direction = (float *)malloc(bytes);
    image = (float *)malloc(bytes);
}

static void iterate_release(void)
{
    free(residual);
    free(direction);
    free(image);
}

/* In float64, in which a product of float32 is exact. */
static double inner(size_t n, const float *u, const float *v)
{
    double sum = 0;

#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += (double)u[i] * v[i];
    return sum;
}

static void iterate(const struct cg *s, void (*multiply)(const struct cg *s, const float *p, float *q))
{
    const size_t n = s->n, most = 2 * n + 50;
    float *x = s->x, *r = residual, *p = direction, *q = image;

    memset(x, 0, n * sizeof(float));
    memcpy(r, s->b, n * sizeof(float));
    memcpy(p, s->b, n * sizeof(float));

    double rr = inner(n, r, r);
    const double enough = (double)s->tol * s->tol * rr;

    for (iterations = 0; rr > enough && iterations < most; iterations++) {
        multiply(s, p, q);

        const double before = rr;
        const float alpha = (float)(rr / inner(n, p, q));

#pragma omp simd
        for (size_t i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        rr = inner(n, r, r);

        const float beta = (float)(rr / before);

#pragma omp simd
        for (size_t i = 0; i < n; i++)
            p[i] = r[i] + beta * p[i];
    }
}

#endif
