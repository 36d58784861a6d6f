/* Shared by compact.c, the data, compact_judge.c, their judge, and data/compact.c, users' files. */
#ifndef RUNGS_PROBLEMS_COMPACT_H
#define RUNGS_PROBLEMS_COMPACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "harness/model/problem.h"

/* As in struct problem. */
void *compact_solve(const void *c);
struct verdict compact_judge(const void *c, const void *solution, enum math math, uint64_t seed);

extern const struct user_data compact_data;

static inline uint32_t compact_bits(const float *x)
{
    uint32_t bits;

    memcpy(&bits, x, sizeof bits);
    return bits;
}

static inline bool compact_is_nan(uint32_t bits)
{
    return (bits & 0x7fffffffU) > 0x7f800000U;
}

#endif
