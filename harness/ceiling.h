/*
 * A ceiling: what this machine can do at best of one thing.
 *
 * One file each, harness/ceilings/NAME.c or .cu, registered by CEILING(...) as the rungs are by
 * VARIANT(...).  It is measured like a rung, in a worker, by the same clock, in the same blocks and
 * rounds; the problem that it is given is a struct ceiling_case, and its answer how much work one
 * call of run() was.
 */
#ifndef RUNGS_CEILING_H
#define RUNGS_CEILING_H

#include <stdbool.h>
#include <stddef.h>

#include "common/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What there is a limited amount of, and the work that is counted. */
enum resource {
    RESOURCE_MEMORY,     /* bytes, read and written, of a working set of some size */
    RESOURCE_ARITHMETIC, /* flops; a multiply-add is two */
    RESOURCE_SPECIAL,    /* sines, roots, powers ... in hardware */
    RESOURCE_UPLOAD,     /* bytes from host to device; a card with this one has phases upload and
                            download, and gives RESOURCE_DOWNLOAD as well */
    RESOURCE_DOWNLOAD,   /* bytes from device to host */
    RESOURCE_PEER,       /* bytes from one GPU to another */
    RESOURCE_LAUNCH,     /* kernels launched one after the other */
    RESOURCE_ROUND_TRIP, /* kernels launched and waited for */
    RESOURCE_NODE,       /* kernels that are nodes of a graph, one after the other */
    RESOURCES
};

struct ceiling_case {
    size_t bytes; /* of the working set, all arrays and cores together; 0: there is none */
    int cores;    /* of the CPU, to take part */
    double *work; /* [2] the answer: work of one call (of one way, on the bus), and how many such
                     devices this machine has */
};

struct ceiling {
    struct variant variant; /* how it is measured: the contract of a rung */
    enum resource resource;
    struct ceiling *next; /* the list of all */
};

void ceiling_register(struct ceiling *c);

/* CEILING(RESOURCE_ARITHMETIC, .idea = "...", .run = run)    once a file, without a semicolon. */
#define CEILING(what, ...)                                                                         \
    static struct ceiling this_ceiling = {{.path = __FILE__, __VA_ARGS__}, what, NULL};            \
    __attribute__((constructor)) static void register_this_ceiling(void)                           \
    {                                                                                              \
        ceiling_register(&this_ceiling);                                                           \
    }

#ifdef __cplusplus
}
#endif
#endif
