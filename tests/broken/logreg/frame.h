/* A right solver with places for one mistake each: gradient descent would take too long, so it is the variants' own L-BFGS
   around a gradient in float64. */
#ifndef BROKEN_LOGREG_FRAME_H
#define BROKEN_LOGREG_FRAME_H

#include <stdlib.h>

#include "common/logreg.h"
#include "common/variant.h"
#include "variants/logreg/lbfgs.h"

/* What a mistake may change.  All zero: none. */
struct mistake {
    double slack;           /* stops at so many tau; 0: at one */
    long most;              /* evaluations; 0: as many as it takes */
    int no_intercept;       /* which stays 0 */
    int penalised;          /* the intercept, too */
    int sum;                /* of the losses, in place of their mean */
    int signs;              /* a label of 0 counts as -1 in p - y */
    int plain_exp;          /* exp(z) / (1 + exp(z)) of float32 */
    int half;               /* totals of bfloat16 */
    int no_lambda;          /* ignores it */
    size_t left_columns;    /* whose gradient is never looked at: the last ones */
    size_t left_rows;       /* the last ones */
    int first_block;        /* of 256 rows, alone */
    int whole_warps;        /* leaves out the rows behind the last whole 32 */
};

static inline float to_bfloat16(float x)
{
    union {
        float f;
        uint32_t u;
    } bits = {x};

    bits.u = (bits.u + 0x7fffU + (bits.u >> 16 & 1U)) & 0xffff0000U;
    return bits.f;
}

static inline double share_of(const struct mistake *m, double z)
{
    const float e = expf((float)z);

    return m->plain_exp ? (double)(e / (1.0f + e)) : 1.0 / (1.0 + exp(-z));
}

static inline void add(const struct mistake *m, double *total, double term)
{
    *total = m->half ? (double)to_bfloat16((float)(*total + term)) : *total + term;
}

static inline size_t rows_of(const struct logreg *p, const struct mistake *m)
{
    const size_t rows = m->first_block && p->m > 256 ? 256 : m->whole_warps && p->m > 32 ? p->m / 32 * 32 : p->m;

    return rows > m->left_rows ? rows - m->left_rows : rows;
}

static inline void broken_gradient(const struct logreg *p, const struct mistake *m, const float *w, double *g)
{
    const size_t n = p->n;

    for (size_t j = 0; j <= n; j++)
        g[j] = 0.0;
    for (size_t i = 0; i < rows_of(p, m); i++) {
        double z = w[n];
        for (size_t j = 0; j < n; j++)
            z += (double)p->x[i * n + j] * (double)w[j];
        const double r = share_of(m, z) - (m->signs && p->y[i] == 0 ? -1.0 : p->y[i]);
        for (size_t j = 0; j < n; j++)
            add(m, &g[j], r * (double)p->x[i * n + j]);
        add(m, &g[n], r);
    }
    for (size_t j = 0; j <= n; j++) {
        const int penalty = (j < n || m->penalised) && !m->no_lambda;
        g[j] = g[j] / (m->sum ? 1.0 : (double)p->m) + (penalty ? (double)p->lambda * (double)w[j] : 0.0);
    }
    for (size_t j = n - (m->left_columns < n ? m->left_columns : n); j < n; j++)
        g[j] = 0.0;
    g[n] = m->no_intercept ? 0.0 : g[n];
}

/* Solves with the mistake, into `w`. */
static inline void broken_solve(const struct logreg *p, const struct mistake *m, float *w)
{
    double *g = malloc((p->n + 1) * sizeof *g);
    void *memory = malloc(lbfgs_bytes(p->n + 1));
    struct lbfgs l;
    int more = 1;

    lbfgs_start(&l, p->n + 1, (double)p->tau * (m->slack > 0.0 ? m->slack : 1.0), memory);
    while (more && (m->most == 0 || l.evaluations < m->most) && l.evaluations < 3000) {
        broken_gradient(p, m, l.trial, g);
        more = lbfgs_next(&l, g);
    }
    for (size_t j = 0; j <= p->n; j++)
        w[j] = l.best[j];
    free(memory);
    free(g);
}

#endif
