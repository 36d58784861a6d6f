/*
 * logreg: the method L-BFGS, which asks for gradients and says where (J. Nocedal, S. Wright, Numerical Optimization,
 * 2nd edition, algorithms 7.4 and 7.5).
 *
 *     lbfgs_start(&l, n + 1, tau, memory);
 *     do
 *         evaluate the gradient g at l.trial;
 *     while (lbfgs_next(&l, g));
 *     the answer is l.best
 *
 * The step along a direction is judged by the slope alone, never by F: near the end F changes by less than its own
 * rounding, and the slope still has digits.  F is convex, so the slope grows along the direction, and a sign change
 * brackets the minimum.
 *
 * Points are of float32, because the answer is.  All else is of float64.
 *
 * The same text runs on a GPU, by one warp: LBFGS_LANES threads share each vector.  Each then only sees its own elements
 * of the vectors, and the same scalars as all others.
 */
#ifndef RUNGS_LOGREG_LBFGS_H
#define RUNGS_LOGREG_LBFGS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#ifndef LBFGS_FUNCTION
#define LBFGS_FUNCTION static inline
#define LBFGS_LANE 0
#define LBFGS_LANES 1
#define LBFGS_SUM(x) (x)     /* over the lanes */
#define LBFGS_LARGEST(x) (x) /* of the lanes */
#endif

#define LBFGS_EACH(i, n) for (size_t i = LBFGS_LANE; i < (n); i += LBFGS_LANES)

enum { LBFGS_PAIRS = 10, LBFGS_MOST = 20000 /* evaluations */, LBFGS_TRIALS = 24 /* of one step */ };

struct lbfgs {
    size_t n;
    double tau;
    float *trial, *best;              /* [n] where the gradient is wanted; the best point so far */
    double *at, *slope_at, *way;      /* [n] the point of this step, its gradient, the direction */
    double *step[LBFGS_PAIRS], *change[LBFGS_PAIRS]; /* [n] pairs: of the point, of the gradient */
    double inverse[LBFGS_PAIRS];      /* 1 / (step . change) */
    double share[LBFGS_PAIRS];        /* of each pair in the direction */
    int pairs, newest;
    int begun, trials;
    long evaluations;
    double best_size, size;           /* largest components: of the best gradient, of the last */
    double first_slope, length;       /* along the direction: at its beginning; how far the trial is */
    double low, low_slope, high, high_slope; /* the minimum lies between; high 0: not yet known */
};

enum { LBFGS_VECTORS = 3 + 2 * LBFGS_PAIRS };

/* Returns how many bytes of memory lbfgs_start wants, aligned for float64. */
LBFGS_FUNCTION size_t lbfgs_bytes(size_t n)
{
    return (LBFGS_VECTORS + 1) * n * sizeof(double);
}

LBFGS_FUNCTION void lbfgs_start(struct lbfgs *l, size_t n, double tau, void *memory)
{
    double *next = (double *)memory + n;

    l->n = n;
    l->tau = tau;
    l->trial = (float *)memory;
    l->best = l->trial + n;
    l->at = next;
    l->slope_at = next + n;
    l->way = next + 2 * n;
    for (int k = 0; k < LBFGS_PAIRS; k++) {
        l->step[k] = next + (3 + 2 * (size_t)k) * n;
        l->change[k] = next + (4 + 2 * (size_t)k) * n;
    }
    l->pairs = l->newest = l->begun = l->trials = 0;
    l->length = l->low = l->low_slope = l->high = l->high_slope = l->first_slope = 0.0;
    l->evaluations = 0;
    l->best_size = l->size = INFINITY;
    LBFGS_EACH(i, n) {
        l->trial[i] = l->best[i] = 0.0f;
        l->at[i] = l->slope_at[i] = 0.0;
    }
}

LBFGS_FUNCTION double lbfgs_dot(size_t n, const double *a, const double *b)
{
    double sum = 0.0;

    LBFGS_EACH(i, n)
        sum += a[i] * b[i];
    return LBFGS_SUM(sum);
}

/* Keeps the best point.  Returns whether it is good enough. */
LBFGS_FUNCTION int lbfgs_keep(struct lbfgs *l, const double *g)
{
    double size = 0.0;

    LBFGS_EACH(i, l->n)
        size = fmax(size, fabs(g[i]));
    l->size = LBFGS_LARGEST(size);
    if (l->size < l->best_size) {
        l->best_size = l->size;
        LBFGS_EACH(i, l->n)
            l->best[i] = l->trial[i];
    }
    l->evaluations++;
    return l->best_size <= l->tau;
}

/* Goes `length` along the direction.  Returns whether that is another point. */
LBFGS_FUNCTION int lbfgs_go(struct lbfgs *l, double length)
{
    double moved = 0.0;

    l->length = length;
    LBFGS_EACH(i, l->n) {
        l->trial[i] = (float)(l->at[i] + length * l->way[i]);
        moved += (double)l->trial[i] != l->at[i] ? 1.0 : 0.0;
    }
    return LBFGS_SUM(moved) > 0.0;
}

/* Takes the trial for the point of the next step, and the pair of differences into memory. */
LBFGS_FUNCTION void lbfgs_accept(struct lbfgs *l, const double *g)
{
    const int k = l->pairs == 0 ? 0 : (l->newest + 1) % LBFGS_PAIRS;
    double both = 0.0, squares = 0.0;

    LBFGS_EACH(i, l->n) {
        const double step = l->trial[i] - l->at[i], change = g[i] - l->slope_at[i];
        l->step[k][i] = step;
        l->change[k][i] = change;
        both += step * change;
        squares += change * change;
        l->at[i] = l->trial[i];
        l->slope_at[i] = g[i];
    }
    const double bend = LBFGS_SUM(both);
    if (!l->begun || !(bend > 1e-12 * LBFGS_SUM(squares))) /* the first point has no pair; noise gives none */
        return;
    l->inverse[k] = 1.0 / bend;
    l->newest = k;
    l->pairs += l->pairs < LBFGS_PAIRS;
}

/* way = -H gradient, with H the inverse Hessian that the pairs stand for. */
LBFGS_FUNCTION void lbfgs_direct(struct lbfgs *l)
{
    double scale = 1.0;

    LBFGS_EACH(i, l->n)
        l->way[i] = -l->slope_at[i];
    for (int age = 0; age < l->pairs; age++) {
        const int k = (l->newest - age + LBFGS_PAIRS) % LBFGS_PAIRS;
        l->share[k] = l->inverse[k] * lbfgs_dot(l->n, l->step[k], l->way);
        LBFGS_EACH(i, l->n)
            l->way[i] -= l->share[k] * l->change[k][i];
    }
    if (l->pairs > 0)
        scale = 1.0 / (l->inverse[l->newest] * lbfgs_dot(l->n, l->change[l->newest], l->change[l->newest]));
    LBFGS_EACH(i, l->n)
        l->way[i] *= scale;
    for (int age = l->pairs - 1; age >= 0; age--) {
        const int k = (l->newest - age + LBFGS_PAIRS) % LBFGS_PAIRS;
        const double b = l->inverse[k] * lbfgs_dot(l->n, l->change[k], l->way);
        LBFGS_EACH(i, l->n)
            l->way[i] += (l->share[k] - b) * l->step[k][i];
    }
}

/* Begins a step from the accepted point. */
LBFGS_FUNCTION int lbfgs_begin_step(struct lbfgs *l)
{
    lbfgs_direct(l);
    l->first_slope = lbfgs_dot(l->n, l->slope_at, l->way);
    if (!(l->first_slope < 0.0)) { /* rounding errors: forget the pairs */
        l->pairs = 0;
        lbfgs_direct(l);
        l->first_slope = lbfgs_dot(l->n, l->slope_at, l->way);
    }
    l->trials = 0;
    l->low = l->high = l->high_slope = 0.0;
    l->low_slope = l->first_slope;
    return lbfgs_go(l, l->pairs > 0 ? 1.0 : 1.0 / sqrt(-l->first_slope));
}

/* The slope at the trial is too steep: tries another length, by the secant through two slopes. */
LBFGS_FUNCTION int lbfgs_try_again(struct lbfgs *l, double slope)
{
    const double before = l->low, before_slope = l->low_slope;

    if (slope < 0.0) {
        l->low = l->length;
        l->low_slope = slope;
    } else {
        l->high = l->length;
        l->high_slope = slope;
    }
    if (l->high == 0.0) { /* downhill still: further, at most ten times as far */
        const double secant = l->low - slope * (l->low - before) / (slope - before_slope);
        return lbfgs_go(l, secant > 1.5 * l->low && secant < 10.0 * l->low ? secant : 10.0 * l->low);
    }
    const double width = l->high - l->low;
    const double share = l->low_slope / (l->low_slope - l->high_slope);

    return lbfgs_go(l, l->low + width * fmin(fmax(share, 0.05), 0.95));
}

/* Takes the gradient at the trial.  Returns whether it wants another one, at the new trial. */
LBFGS_FUNCTION int lbfgs_next(struct lbfgs *l, const double *g)
{
    if (lbfgs_keep(l, g) || l->evaluations >= LBFGS_MOST)
        return 0;
    if (l->begun) {
        const double slope = lbfgs_dot(l->n, g, l->way), allowed = fabs(l->first_slope);
        if ((slope < -0.9 * allowed || slope > 0.5 * allowed) && ++l->trials < LBFGS_TRIALS)
            return lbfgs_try_again(l, slope);
    }
    lbfgs_accept(l, g);
    l->begun = 1;
    return lbfgs_begin_step(l);
}

#endif
