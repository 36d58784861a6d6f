/*
 * knn: for each of m observations, the k nearest of n reference points on a sphere.
 *
 * Distance is the central angle in radians, by the haversine formula (R. W. Sinnott, "Virtues of
 * the Haversine", Sky and Telescope 68, 1984):
 *
 *     h = sin^2((lat2 - lat1) / 2) + cos(lat1) * cos(lat2) * sin^2((lon2 - lon1) / 2)
 *     d = 2 * asin(sqrt(h))
 *
 * Neighbours are sorted by distance, nearest first, and equal distances by index, lowest first.
 *
 * Points may lie anywhere: in one town, along a coast, in the order of a file, many at one place, on
 * both sides of the date line.  The answer must be right for all of them; the best variant takes no
 * longer for any of them.  `--data` makes ten kinds (docs/problems/knn.md).
 *
 * Work   m*n pairs.  The textbook pair costs 10 flops and 6 special functions (2 sin, 2 cos,
 *        sqrt, asin).
 * Bytes  8*(m + n) of coordinates in, 8*m*k of answers out.
 */
#ifndef RUNGS_KNN_H
#define RUNGS_KNN_H

#include <stddef.h>
#include <stdint.h>

struct knn {
    size_t m;             /* observations; may be 0 */
    size_t n;             /* reference points, less than 2^32 */
    size_t k;             /* neighbours wanted of each observation, 1 <= k <= n */
    const float *obs_lat; /* [m] radians, -pi/2 to pi/2 */
    const float *obs_lon; /* [m] radians, -pi to 2 pi (east of Greenwich is positive) */
    const float *ref_lat; /* [n] */
    const float *ref_lon; /* [n] */
    uint32_t *index;      /* [m][k] the answer: which reference points */
    float *distance;      /* [m][k] the answer: how far, radians, 0 to pi */
};

#endif
