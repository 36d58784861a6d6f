/* Shared by knn.c, the data, and knn_judge.c, their judge. */
#ifndef RUNGS_PROBLEMS_KNN_H
#define RUNGS_PROBLEMS_KNN_H

#include "common/knn.h"
#include "harness/model/problem.h"

/* A case.  Variants get only the first member: they are not to know what kind of data comes. */
struct knn_case {
    struct knn knn;
    size_t kind;   /* of its data, harness/problems/knn_kinds.h */
    uint64_t seed; /* of its data */
};

/* As in struct problem. */
void *knn_solve(const void *c);
struct verdict knn_judge(const void *c, const void *solution, enum math math, uint64_t seed);
struct verdict knn_judge_any_tie(const void *c, const void *solution, enum math math, uint64_t seed);

#endif
