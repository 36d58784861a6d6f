/* knn: the neighbours of points as the files have them, not as float32 rounds them. */
#ifndef RUNGS_DATA_KNN_FLOAT64_H
#define RUNGS_DATA_KNN_FLOAT64_H

#include "harness/files/points.h"
#include "harness/problems/knn_tree.h"

/* Returns the k nearest references of each observation, [obs->count][k], free with free().  On failure returns
   NULL and sets the error. */
struct neighbour *knn_float64(const struct points *obs, const struct points *ref, size_t k, struct error *error);

#endif
