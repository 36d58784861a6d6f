/*
 * reduce: the sum of n numbers and their Euclidean norm, both in each call.
 *
 *     sum  = x[0] + ... + x[n-1]
 *     norm = sqrt(x[0]^2 + ... + x[n-1]^2), without overflow or underflow in between
 *            (J. L. Blue, "A Portable Fortran Program to Find the Euclidean Norm of a Vector", ACM TOMS 4(1), 1978)
 *
 * The answers must be as accurate as sums in a tree over runs of 64 numbers, whatever the order of the additions
 * (harness/problems/reduce_judge.c).  One running total in float32 is not.
 *
 * Work   3 flops per element (two additions, one multiplication), and one square root.
 * Bytes  4 per element in, 8 out.
 */
#ifndef RUNGS_REDUCE_H
#define RUNGS_REDUCE_H

#include <stddef.h>

struct reduce {
    size_t n;       /* elements; may be 0: both answers are then 0 */
    const float *x; /* [n] finite; squares may lie beyond the range of float32, at either end */
    float *sum;     /* [1] the answer */
    float *norm;    /* [1] the answer */
};

#endif
