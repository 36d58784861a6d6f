/* Shared by stencil.c, the data, and stencil_judge.c, their judge. */
#ifndef RUNGS_PROBLEMS_STENCIL_H
#define RUNGS_PROBLEMS_STENCIL_H

#include "harness/model/problem.h"

/* As in struct problem. */
void *stencil_solve(const void *c);
struct verdict stencil_judge(const void *c, const void *solution, enum math math, uint64_t seed);

#endif
