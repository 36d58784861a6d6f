/*
 * matmul: C = A*B, in float32.
 *
 *     c[i][j] = sum over l of a[i][l] * b[l][j]        0 <= i < m, 0 <= j < n, 0 <= l < k
 *
 * Row-major, without padding: a[i][l] is a[i*k + l].  The letters are those of BLAS.
 *
 * Work   2*m*n*k flops.
 * Bytes  4*(m*k + k*n + m*n): each matrix moved once.
 */
#ifndef RUNGS_MATMUL_H
#define RUNGS_MATMUL_H

#include <stddef.h>

struct matmul {
    size_t m, n, k; /* C is m x n, k is the length of each sum; any may be 0 */
    const float *a; /* [m][k] */
    const float *b; /* [k][n] */
    float *c;       /* [m][n] the answer; all zero where k = 0 */
};

#endif
