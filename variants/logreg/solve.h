/* logreg: L-BFGS around an evaluation of the file that includes this: evaluate(problem, w, gradient). */
#ifndef RUNGS_LOGREG_SOLVE_H
#define RUNGS_LOGREG_SOLVE_H

#include "common/logreg.h"
#include "lbfgs.h" /* lbfgs_start, lbfgs_next */
#include "trace.h" /* trace_add, evaluations */

typedef void evaluator(const struct logreg *p, const float *w, double *gradient);

/* `memory`: lbfgs_bytes(n + 1) of it.  Leaves the answer in `answer`. */
static inline void solve(const struct logreg *p, evaluator *evaluate, double *gradient, void *memory, float *answer)
{
    struct lbfgs l;
    int more = 1;

    traced = 0;
    lbfgs_start(&l, p->n + 1, p->tau, memory);
    while (more) {
        evaluate(p, l.trial, gradient);
        more = lbfgs_next(&l, gradient);
        trace_add(1.0, l.size);
    }
    for (size_t j = 0; j <= p->n; j++)
        answer[j] = l.best[j];
}

/* g = sums / m + lambda w: the mean and the penalty, which the intercept has not. */
static inline void finish_gradient(const struct logreg *p, const float *w, const double *sums, double *g)
{
    for (size_t j = 0; j <= p->n; j++)
        g[j] = sums[j] / (double)p->m + (j < p->n ? (double)p->lambda * w[j] : 0.0);
}

#endif
