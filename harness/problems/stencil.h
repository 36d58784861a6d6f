/* What stencil.c, the data, and stencil_judge.c, what is right for them, know of each other. */
#ifndef RUNGS_PROBLEMS_STENCIL_H
#define RUNGS_PROBLEMS_STENCIL_H

#include "harness/model/problem.h"

/* As in struct problem. */
void *stencil_solve(const void *c);
struct verdict stencil_judge(const void *c, const void *solution, enum math math, uint64_t seed);

#endif
