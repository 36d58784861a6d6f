/*
 * axxat: Y = A*X + X*A^T, in float32: the right-hand side of a Lyapunov equation, and of a Kalman filter's covariance.
 *
 *     y[i][j] = sum over l of a[i][l] * x[l][j] + x[i][l] * a[j][l]        0 <= i, j, l < n
 *
 * Row-major, without padding: a[i][l] is a[i*n + l].  It is one product of depth 2n: (A, X) times (X over A^T).  With a
 * symmetric X it is half the work: Z = A*X, Y = Z + Z^T.
 *
 * Work   4*n^3 flops, 2*n^3 of them necessary where X is symmetric.
 * Bytes  12*n^2: each matrix moved once.
 */
#ifndef RUNGS_AXXAT_H
#define RUNGS_AXXAT_H

#include <stddef.h>

struct axxat {
    size_t n;       /* may be 0 */
    int symmetric;  /* 1: x[i][j] == x[j][i] for all i and j, and a variant may make use of it; else 0 */
    const float *a; /* [n][n] */
    const float *x; /* [n][n] */
    float *y;       /* [n][n] the answer; it need not be symmetric to the last bit */
};

#endif
