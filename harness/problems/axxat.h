/* Shared by axxat.c, the data, axxat_judge.c, their judge, and data/axxat.c, users' files. */
#ifndef RUNGS_PROBLEMS_AXXAT_H
#define RUNGS_PROBLEMS_AXXAT_H

#include "harness/model/problem.h"

/* As in struct problem. */
void *axxat_solve(const void *c);
struct verdict axxat_judge(const void *c, const void *solution, enum math math, uint64_t seed);

extern const struct user_data axxat_data;

#endif
