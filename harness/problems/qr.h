/* Shared by qr.c, the data, qr_judge.c, their judge, and data/qr.c, users' files. */
#ifndef RUNGS_PROBLEMS_QR_H
#define RUNGS_PROBLEMS_QR_H

#include "harness/model/problem.h"

/* As in struct problem. */
void *qr_solve(const void *c);
struct verdict qr_judge(const void *c, const void *solution, enum math math, uint64_t seed);

extern const struct user_data qr_data;

#endif
