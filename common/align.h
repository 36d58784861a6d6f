/*
 * align: by how much one image is shifted against another, found by phase correlation, for `pairs` pairs of images.
 *
 * For each pair a, b of N = rows * cols pixels, with A and B their two-dimensional Fourier transforms:
 *
 *     R[k]   = A[k] conj(B[k]) / (|A[k]| |B[k]| + eps)
 *     g[p,q] = | inverse transform of R |, scaled by 1/N
 *     (p, q) = where g is highest; of equal values the first in row-major order
 *
 * (C. D. Kuglin, D. C. Hines, "The Phase Correlation Image Alignment Method", IEEE Conf. Cybernetics and Society, 1975.)
 * The shift is known to parts of a pixel by the parabola through the peak and its neighbours, per axis and around the
 * edges.  With g-, g0, g+ at p - 1, p, p + 1:
 *
 *     d = (g- - g+) / (2 (g- - 2 g0 + g+)), kept within [-1/2, 1/2]; 0 where the denominator is not negative
 *     shift = p + d, or p - rows + d if 2p > rows; the same for columns
 *
 * If a[r][c] = b[r - s][c - t] around the edges, the shift is (s, t).
 *
 * Work   7.5 N log2(N) + 6 N flops a pair: three real transforms, and R for the half of the bins that real images have;
 *        1.5 N special functions: two roots and a division a bin.
 * Bytes  8 a pixel in, and 20 a pair.
 */
#ifndef RUNGS_ALIGN_H
#define RUNGS_ALIGN_H

#include <stddef.h>
#include <stdint.h>

struct align {
    size_t pairs;       /* may be 0 */
    size_t rows, cols;  /* products of 2, 3, 5 and 7, at least 1; rows * cols < 2^32 */
    const float *a, *b; /* [pairs][rows][cols] */
    const float *eps;   /* [pairs] above 0: keeps bins that hold nothing but rounding errors from counting */
    uint32_t *peak;     /* [pairs] the answer: p * cols + q */
    float *height;      /* [pairs] the answer: g at the peak, 0 to 1 */
    float *shift;       /* [pairs][2] the answer, pixels: rows and columns by which a is moved against b */
};

#endif
