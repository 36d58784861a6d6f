/*
 * logreg: Newton's method.  It asks for the gradient g and the Hessian H = X' D X / m + lambda, D = p (1 - p), and says
 * where next.
 *
 *     newton_start(&t, n + 1, tau, memory);
 *     do
 *         evaluate g and H at t.trial;
 *     while (newton_next(&t, g, H));
 *     the answer is t.best
 *
 * A full step -H^-1 g is too long where F flattens out.  As in lbfgs.h, the slope along the step tells: if it is uphill by
 * more than half of what it was downhill, the step is shortened by the secant.
 *
 * The same text runs on a GPU, by one warp: NEWTON_LANES threads share each column.  They meet at NEWTON_MEET.  NEWTON_SOLVE
 * may be another way to the direction.
 */
#ifndef RUNGS_LOGREG_NEWTON_H
#define RUNGS_LOGREG_NEWTON_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#ifndef NEWTON_FUNCTION
#define NEWTON_FUNCTION static inline
#define NEWTON_LANE 0
#define NEWTON_LANES 1
#define NEWTON_SUM(x) (x)     /* over the lanes */
#define NEWTON_LARGEST(x) (x) /* of the lanes */
#define NEWTON_MEET ((void)0)
#endif

#ifndef NEWTON_SOLVE
#define NEWTON_SOLVE(t, g, h) newton_solve(t, g, h)
#endif

#define NEWTON_EACH(i, from, n) for (size_t i = (from) + NEWTON_LANE; i < (n); i += NEWTON_LANES)

enum { NEWTON_MOST = 500 /* evaluations */, NEWTON_TRIALS = 30 /* of one step */ };

struct newton {
    size_t n;
    double tau;
    float *trial, *best; /* [n] where the derivatives are wanted; the best point so far */
    double *at, *way;    /* [n] the point of this step, its direction */
    int begun, trials;
    long evaluations;
    double best_size, size;
    double first_slope, length; /* along the step */
};

NEWTON_FUNCTION size_t newton_bytes(size_t n)
{
    return 3 * n * sizeof(double);
}

NEWTON_FUNCTION void newton_start(struct newton *t, size_t n, double tau, void *memory)
{
    t->n = n;
    t->tau = tau;
    t->trial = (float *)memory;
    t->best = t->trial + n;
    t->at = (double *)memory + n;
    t->way = t->at + n;
    t->begun = t->trials = 0;
    t->evaluations = 0;
    t->best_size = t->size = INFINITY;
    t->first_slope = t->length = 0.0;
    NEWTON_EACH(i, 0, n)
        t->trial[i] = t->best[i] = 0.0f;
    NEWTON_MEET;
}

/* Replaces H [n][n], of which the lower triangle counts, by its Cholesky factor.  A pivot that rounding errors have made
   0 or less counts as a small share of what it was: the direction is then another one, and still downhill. */
NEWTON_FUNCTION void newton_factor(size_t n, double *h)
{
    for (size_t k = 0; k < n; k++) {
        const double least = 1e-9 * fabs(h[k * n + k]) + 1e-30;
        double pivot = h[k * n + k];
        for (size_t j = 0; j < k; j++)
            pivot -= h[k * n + j] * h[k * n + j];
        const double root = sqrt(pivot > least ? pivot : least);
        NEWTON_MEET; /* all have read the diagonal */
        NEWTON_EACH(i, k + 1, n) {
            double sum = h[i * n + k];
            for (size_t j = 0; j < k; j++)
                sum -= h[i * n + j] * h[k * n + j];
            h[i * n + k] = sum / root;
        }
        if (NEWTON_LANE == 0)
            h[k * n + k] = root;
        NEWTON_MEET;
    }
}

/* way = -H^-1 g, by the factor. */
NEWTON_FUNCTION void newton_direct(struct newton *t, const double *g, const double *h)
{
    const size_t n = t->n;

    NEWTON_EACH(i, 0, n)
        t->way[i] = -g[i];
    NEWTON_MEET;
    for (size_t k = 0; k < n; k++) { /* column by column, so that lanes need no sum */
        if (NEWTON_LANE == 0)
            t->way[k] /= h[k * n + k];
        NEWTON_MEET;
        NEWTON_EACH(i, k + 1, n)
            t->way[i] -= h[i * n + k] * t->way[k];
        NEWTON_MEET;
    }
    for (size_t k = n; k-- > 0;) {
        if (NEWTON_LANE == 0)
            t->way[k] /= h[k * n + k];
        NEWTON_MEET;
        NEWTON_EACH(i, 0, k)
            t->way[i] -= h[k * n + i] * t->way[k];
        NEWTON_MEET;
    }
}

/* The same from H, which is overwritten. */
NEWTON_FUNCTION void newton_solve(struct newton *t, const double *g, double *h)
{
    newton_factor(t->n, h);
    newton_direct(t, g, h);
}

/* Goes `length` along the direction.  Returns whether that is another point. */
NEWTON_FUNCTION int newton_go(struct newton *t, double length)
{
    double moved = 0.0;

    t->length = length;
    NEWTON_EACH(i, 0, t->n) {
        t->trial[i] = (float)(t->at[i] + length * t->way[i]);
        moved += (double)t->trial[i] != t->at[i] ? 1.0 : 0.0;
    }
    NEWTON_MEET;
    return NEWTON_SUM(moved) > 0.0;
}

/* Keeps the best point.  Returns whether it is good enough. */
NEWTON_FUNCTION int newton_keep(struct newton *t, const double *g)
{
    double size = 0.0;

    NEWTON_EACH(i, 0, t->n)
        size = fmax(size, fabs(g[i]));
    t->size = NEWTON_LARGEST(size);
    if (t->size < t->best_size) {
        t->best_size = t->size;
        NEWTON_EACH(i, 0, t->n)
            t->best[i] = t->trial[i];
    }
    t->evaluations++;
    return t->best_size <= t->tau;
}

NEWTON_FUNCTION double newton_slope(const struct newton *t, const double *g)
{
    double sum = 0.0;

    NEWTON_EACH(i, 0, t->n)
        sum += g[i] * t->way[i];
    return NEWTON_SUM(sum);
}

/* Takes the derivatives at the trial; H is overwritten.  Returns whether it wants more, at the new trial. */
NEWTON_FUNCTION int newton_next(struct newton *t, const double *g, double *h)
{
    if (newton_keep(t, g) || t->evaluations >= NEWTON_MOST)
        return 0;
    if (t->begun) {
        const double slope = newton_slope(t, g), allowed = fabs(t->first_slope);
        if (slope > 0.5 * allowed && ++t->trials < NEWTON_TRIALS) {
            const double share = t->first_slope / (t->first_slope - slope);
            return newton_go(t, t->length * fmin(fmax(share, 0.05), 0.95));
        }
    }
    NEWTON_EACH(i, 0, t->n)
        t->at[i] = t->trial[i];
    t->begun = 1;
    t->trials = 0;
    NEWTON_SOLVE(t, g, h);
    t->first_slope = newton_slope(t, g);
    if (!(t->first_slope < 0.0 && t->first_slope > -1e30)) { /* no direction to go: rounding errors in H */
        NEWTON_EACH(i, 0, t->n)
            t->way[i] = -g[i] / t->size;
        NEWTON_MEET;
        t->first_slope = newton_slope(t, g);
    }
    return newton_go(t, 1.0);
}

#endif
