/*
 * cg: A x = b, A symmetric and positive definite, dense, to a relative residual of tol.
 *
 *     norm2(b - A x) <= tol norm2(b)
 *
 * A is in full, row-major, without padding, and exactly symmetric: a[i][j] == a[j][i].  Any method is allowed; the
 * variants use conjugate gradients (M. R. Hestenes, E. Stiefel, J. Res. Nat. Bur. Standards 49(6), 1952).  The judge
 * computes the residual of the answer in float64 (harness/problems/cg_judge.c).
 *
 * Work   of one iteration: 2 n^2 flops.  A method needs several.
 * Bytes  of one iteration: half of A, 2 n (n + 1), because A is symmetric; b and x once.
 */
#ifndef RUNGS_CG_H
#define RUNGS_CG_H

#include <stddef.h>

struct cg {
    size_t n;       /* unknowns; may be 0 */
    size_t every;   /* at least 1: iterations from one look of the host at the residual to the next; a variant that looks
                       without the host need not heed it */
    float tol;      /* above 0 and below 1 */
    const float *a; /* [n][n] */
    const float *b; /* [n]; all 0: so is x */
    float *x;       /* [n] the answer */
};

#endif
