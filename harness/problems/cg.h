/* Shared by cg.c, the data, cg_judge.c, their judge, and data/cg.c, users' files. */
#ifndef RUNGS_PROBLEMS_CG_H
#define RUNGS_PROBLEMS_CG_H

#include "harness/model/problem.h"

/* As in struct problem. */
void *cg_solve(const void *c);
struct verdict cg_judge(const void *c, const void *solution, enum math math, uint64_t seed);

extern const struct user_data cg_data;

#endif
