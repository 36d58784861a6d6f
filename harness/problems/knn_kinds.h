/*
 * knn: the kinds of data, the axis `data`.
 *
 * Time depends on where the points lie, because indexes and rankings have to tell near points apart.  The judge sees
 * every kind.  knn_kinds.c defines each, docs/problems/knn.md describes them.
 */
#ifndef RUNGS_PROBLEMS_KNN_KINDS_H
#define RUNGS_PROBLEMS_KNN_KINDS_H

#include "harness/problems/knn.h"

enum knn_kind {
    KNN_UNIFORM, KNN_PLACES, KNN_COUNTRY, KNN_TOWN, KNN_SPIRAL, KNN_LATTICE, KNN_COPIES, KNN_COAST, KNN_TRACK,
    KNN_DATELINE, KNN_KINDS
};

/* Their words, up to NULL. */
extern const char *const knn_kinds[];

/* The references of a case, or its observations. */
struct knn_set {
    const struct knn_case *of; /* whose kind and seed they have */
    bool references;
    size_t count;
    float *lat, *lon; /* [count] radians */
};

/* Makes point i.  A reference may be a neighbour of earlier ones, an observation that of any reference. */
void knn_kinds_fill(const struct knn_set *s, size_t i);

/* Makes another point that could be point i: of the same kind, and where order matters, in order. */
void knn_kinds_touch(const struct knn_set *s, size_t i, uint64_t seed, float *lat, float *lon);

#endif
