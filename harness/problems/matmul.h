/* What matmul.c, the data, and matmul_judge.c, what is right for them, know of each other. */
#ifndef RUNGS_PROBLEMS_MATMUL_H
#define RUNGS_PROBLEMS_MATMUL_H

#include "harness/problem.h"

/* The streams of random numbers: see harness/random.h. */
enum { STREAM_A, STREAM_B, STREAM_SIGN, STREAM_ROW, STREAM_COLUMN };

/* As in struct problem. */
void *matmul_solve(const void *c, uint64_t seed);
struct verdict matmul_judge(const void *c, const void *solution, enum math math);

#endif
