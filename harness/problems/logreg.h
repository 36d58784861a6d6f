/* Shared by logreg.c, the data, logreg_judge.c, their judge, and data/logreg.c, users' files. */
#ifndef RUNGS_PROBLEMS_LOGREG_H
#define RUNGS_PROBLEMS_LOGREG_H

#include "harness/model/problem.h"

/* As in struct problem. */
void *logreg_solve(const void *c);
struct verdict logreg_judge(const void *c, const void *solution, enum math math, uint64_t seed);

extern const struct user_data logreg_data;

#endif
