/*
 * A ceiling: what this machine can do at best of one thing.
 *
 * One file each, harness/ceilings/NAME.c or .cu, a shared object with a card like a variant's
 * (harness/model/card.h).  It is measured like a variant, in a worker, by the same clock, in the same blocks
 * and rounds; the problem that it is given is a struct ceiling_case, and its answer how much work one
 * call of run() was.
 */
#ifndef RUNGS_CEILING_H
#define RUNGS_CEILING_H

#include <stdbool.h>
#include <stddef.h>

#include "common/variant.h"
#include "harness/model/resource.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ceiling_case {
    size_t bytes; /* of the working set, all arrays and cores together; 0: there is none */
    int cores;    /* of the CPU, to take part */
    double *work; /* [2] the answer: work of one call (of one way, on the bus), and how many such
                     devices this machine has */
};

/* CEILING(RESOURCE_ARITHMETIC, .idea = "...", .run = run)    once a file, without a semicolon. */
#define CEILING(what, ...)                                                                         \
    RUNGS_EXPORT extern const int rungs_resource;                                                  \
    const int rungs_resource = what;                                                               \
    VARIANT(__VA_ARGS__)

#ifdef __cplusplus
}
#endif
#endif
