/* What matmul.c, the data, and matmul_judge.c, what is right for them, know of each other. */
#ifndef RUNGS_PROBLEMS_MATMUL_H
#define RUNGS_PROBLEMS_MATMUL_H

#include "harness/model/problem.h"

/* The streams of random numbers: see harness/base/random.h. */
enum { STREAM_A, STREAM_B, STREAM_TROUBLE };                 /* by the seed of the data */
enum { STREAM_ROW, STREAM_COLUMN, STREAM_ROW_SIGN, /* by that of the draw; one of signs a vector */
       STREAM_COLUMN_SIGN = STREAM_ROW_SIGN + 64 };

struct matmul;

/* Is it too large to be compared in full? */
bool matmul_is_large(const struct matmul *p);

/* As in struct problem. */
void *matmul_solve(const void *c);
struct verdict matmul_judge(const void *c, const void *solution, enum math math, uint64_t seed);

#endif
