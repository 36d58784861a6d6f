/* Shared by matmul.c, the data, and matmul_judge.c, their judge. */
#ifndef RUNGS_PROBLEMS_MATMUL_H
#define RUNGS_PROBLEMS_MATMUL_H

#include "harness/model/problem.h"

/* Streams of random numbers (harness/base/random.h). */
enum { STREAM_A, STREAM_B, STREAM_TROUBLE };                 /* for the seed of the data */
enum { STREAM_ROW, STREAM_COLUMN, STREAM_ROW_SIGN, /* for the seed of the draw; one stream of signs for
                                                      each vector */
       STREAM_COLUMN_SIGN = STREAM_ROW_SIGN + 64 };

struct matmul;

/* Returns whether the product is too large to be compared in full. */
bool matmul_is_large(const struct matmul *p);

/* As in struct problem. */
void *matmul_solve(const void *c);
struct verdict matmul_judge(const void *c, const void *solution, enum math math, uint64_t seed);

/* The same in two steps, for problems that are a product of larger matrices: returns how many bytes a solution takes, and
   solves in a block of so many zeros. */
size_t matmul_solution_bytes(const struct matmul *p);
void matmul_solve_in(void *block, const struct matmul *p);

#endif
