/*
 * What the ranks of an MPI variant send in one run, by the pattern on its card: SENDS() in common/mpi.h.
 *
 *     nothing          every rank has all it needs
 *     halo             a row to each neighbour in every sweep; "halo, overlapped": while it computes
 *     tree             lists of k neighbours meet two at a time, up a tree of ranks
 *     summa            slices of A along the rows of a grid of ranks, slices of B along its columns
 *     all to all       three exchanges of all numbers; "all to all, few": only of fewer signals than ranks
 *
 * Numbers are those of the busiest rank.  A step in which ranks send to each other both ways counts as one message.
 */
#ifndef RUNGS_TRAFFIC_H
#define RUNGS_TRAFFIC_H

#include <stdbool.h>

#include "harness/records/result.h"

struct traffic {
    double share;    /* of the work, that the busiest rank has */
    double messages; /* one after another */
    double bytes;    /* of these together */
    double most;     /* ranks up to which this holds: more have no work, or send by another pattern */
    bool overlapped; /* messages travel while the rank computes */
};

/* Of a result's variant with so many ranks, at `times` its size along the first axis.  False: there is no formula for
   its pattern. */
bool traffic_of(const struct result *r, int ranks, double times, struct traffic *t);

#endif
