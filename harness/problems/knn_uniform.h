/*
 * knn: uniform data, the kind that everything is measured by first, with the points on which variants fail.
 *
 * Of a few points, an eighth are awkward: poles, the date line, the same place, a neighbour at the limit of what
 * float32 distinguishes, the antipode.  Of many, some hundreds are.  Some small cases consist entirely of a crowd, or
 * of a coarse lattice.
 */
#ifndef RUNGS_PROBLEMS_KNN_UNIFORM_H
#define RUNGS_PROBLEMS_KNN_UNIFORM_H

#include "harness/problems/knn_kinds.h"

/* Streams of random numbers.  Each has the three that follow, too. */
enum { OBSERVATIONS = 1, REFERENCES = 4 };

/* Makes point i of count uniform on the sphere, longitudes in either convention. */
void knn_uniform_point(float *lat, float *lon, size_t i, uint64_t seed, uint64_t stream);

/* Makes point i of a set, ordinary or awkward. */
void knn_uniform_fill(const struct knn_set *s, size_t i);

#endif
