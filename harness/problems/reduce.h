/* Shared by reduce.c, the data, reduce_judge.c, their judge, and data/reduce.c, users' files. */
#ifndef RUNGS_PROBLEMS_REDUCE_H
#define RUNGS_PROBLEMS_REDUCE_H

#include "harness/model/problem.h"

/* As in struct problem. */
void *reduce_solve(const void *c);
struct verdict reduce_judge(const void *c, const void *solution, enum math math, uint64_t seed);

extern const struct user_data reduce_data;

#endif
