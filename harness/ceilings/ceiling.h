/*
 * A ceiling: the measured peak rate of one resource of this machine.
 *
 * One file for each, harness/ceilings/NAME.c or .cu: a shared object with a card like a variant's
 * (harness/model/card.h).  It is measured like a variant: in a worker, by the same clock, in the same
 * blocks and rounds.  Its problem is a struct ceiling_case, and its answer is the amount of work in one
 * call of run().
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
    size_t bytes; /* of the working set, all arrays and cores together; 0: it has none */
    int cores;    /* of the CPU, that take part */
    double *work; /* [2] the answer: work of one call (of one direction, on the bus), and how many such
                     devices this machine has */
};

/* CEILING(RESOURCE_ARITHMETIC, .idea = "...", .run = run)    once in a file, without a semicolon */
#define CEILING(what, ...)                                                                         \
    RUNGS_EXPORT extern const int rungs_resource;                                                  \
    const int rungs_resource = what;                                                               \
    VARIANT(__VA_ARGS__)

#ifdef __cplusplus
}
#endif
#endif
