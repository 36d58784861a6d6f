/* logreg: what a run notes of its evaluations, for common/variant.h's `evaluations`. */
#ifndef RUNGS_LOGREG_TRACE_H
#define RUNGS_LOGREG_TRACE_H

#include <string.h>

#include "common/variant.h"

static struct evaluation trace[EVALUATIONS_KEPT];
static size_t traced; /* evaluations of the last run; the first of them are kept */

/* Notes an evaluation of this share of the rows, whose gradient has no component above `residual`. */
static inline void trace_add(double work, double residual)
{
    if (traced < EVALUATIONS_KEPT) {
        trace[traced].work = (float)work;
        trace[traced].residual = (float)residual;
    }
    traced++;
}

static size_t evaluations(struct evaluation list[], size_t room)
{
    const size_t kept = traced < room ? traced : room;

    memcpy(list, trace, kept * sizeof *list);
    return traced;
}

#endif
