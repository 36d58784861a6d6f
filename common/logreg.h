/*
 * logreg: logistic regression.  Find weights w and an intercept c that minimise
 *
 *     F(w, c) = (1/m) sum over i of log(1 + exp(-s_i (x_i . w + c))) + (lambda/2) w . w,    s_i = 2 y_i - 1
 *
 * to where no component of the gradient is above tau in size:
 *
 *     r_i = 1 / (1 + exp(-(x_i . w + c))) - y_i
 *     g_j = (1/m) sum over i of r_i x_ij + lambda w_j       for the weights
 *     g_n = (1/m) sum over i of r_i                         for the intercept, which has no penalty
 *
 * (J. Nocedal, S. Wright, Numerical Optimization, 2nd edition, section 7.2.)  With lambda = 1 / (C m) and this tau it is
 * scikit-learn's LogisticRegression(C=C, tol=tau).
 *
 * Any method is allowed.  The judge computes the gradient at the answer in float64 (harness/problems/logreg_judge.c).
 *
 * Work   of one evaluation of the gradient: 4 m n flops and m exponentials.  A method needs several.
 * Bytes  4 m n + m in, 4 (n + 1) out.
 */
#ifndef RUNGS_LOGREG_H
#define RUNGS_LOGREG_H

#include <stddef.h>
#include <stdint.h>

struct logreg {
    size_t m;         /* samples, at least 1 */
    size_t n;         /* features; 0: there is only the intercept */
    float lambda;     /* 0 or more; the penalty of the weights */
    float tau;        /* above 0; how large a component of the gradient may be */
    const float *x;   /* [m][n] finite; a row a sample */
    const uint8_t *y; /* [m] 0 or 1 */
    float *w;         /* [n + 1] the answer: the weights, then the intercept */
};

#endif
