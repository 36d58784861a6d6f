/* Shared by knn.c, the data, and knn_judge.c, their judge. */
#ifndef RUNGS_PROBLEMS_KNN_H
#define RUNGS_PROBLEMS_KNN_H

#include "harness/model/problem.h"

/* Streams of random numbers. */
enum { OBSERVATIONS = 1, REFERENCES = 4 };

/* As in struct problem. */
void *knn_solve(const void *c);
struct verdict knn_judge(const void *c, const void *solution, enum math math, uint64_t seed);
struct verdict knn_judge_any_tie(const void *c, const void *solution, enum math math, uint64_t seed);

#endif
