/* Shared by fft.c, the data, and fft_judge.c, their judge. */
#ifndef RUNGS_PROBLEMS_FFT_H
#define RUNGS_PROBLEMS_FFT_H

#include "harness/model/problem.h"

/* As in struct problem. */
void *fft_solve(const void *c);
struct verdict fft_judge(const void *c, const void *solution, enum math math, uint64_t seed);

#endif
