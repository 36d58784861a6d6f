/*
 * map: a function of each element by itself.  The axis `f` says which:
 *
 *     MAP_TRIG      z[i] = cos(x[i]) + sin(y[i])
 *     MAP_RELDIFF   z[i] = 2 (x[i] - y[i]) / (x[i] + y[i])
 *     MAP_SUPPRESS  z16[i] = x16[i] where |x16[i]| > threshold, else 0       ("zero suppression")
 *
 * Cosine and sine must each be right to 2 units in the last place for every finite argument, 1e38 as well as 1 (M. Payne,
 * R. Hanek, "Radian Reduction for Trigonometric Functions", SIGNUM Newsletter 18(1), 1983).  Of zero suppression |x| is meant in
 * whole numbers: -32768 counts as 32768.
 *
 * Work   per element: trig 1 addition and 2 special functions; reldiff 3 flops and a division, which counts as special;
 *        suppress none.
 * Bytes  per element: trig and reldiff 12, suppress 4.
 */
#ifndef RUNGS_MAP_H
#define RUNGS_MAP_H

#include <stddef.h>
#include <stdint.h>

enum { MAP_TRIG, MAP_RELDIFF, MAP_SUPPRESS };

struct map {
    size_t n;           /* elements; may be 0 */
    int f;              /* which function: the arrays of the others are NULL */
    const float *x, *y; /* [n] finite; reldiff: not both 0, and neither above 2^125 in size */
    float *z;           /* [n] the answer; reldiff: infinite where y = -x */
    int threshold;      /* 0 to 32767; a value, so -1 during prepare */
    const int16_t *x16; /* [n] */
    int16_t *z16;       /* [n] the answer */
};

#endif
