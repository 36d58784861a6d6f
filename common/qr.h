/*
 * qr: A = Q R, with orthonormal columns in Q and R upper triangular.
 *
 * The diagonal of R is not negative.  So Q and R are unique where the columns of A are linearly independent
 * (N. J. Higham, "Accuracy and Stability of Numerical Algorithms", chapter 19).  Any method may be used.  An answer is
 * judged by what it must satisfy: A = Q R, column by column, and Q'Q = I (harness/problems/qr_judge.c).
 *
 * Work   4 m n^2 - 4/3 n^3 flops: Householder's R, and then Q.
 * Bytes  4 per element of A in, 4 per element of Q and of R out.
 */
#ifndef RUNGS_QR_H
#define RUNGS_QR_H

#include <stddef.h>

struct qr {
    size_t m, n;    /* rows and columns, m >= n; n may be 0 */
    const float *a; /* [m][n] finite; lengths of columns may differ by orders of magnitude */
    float *q;       /* [m][n] the answer: columns of length 1, at right angles to each other */
    float *r;       /* [n][n] the answer: 0 below the diagonal, which is not negative */
};

#endif
