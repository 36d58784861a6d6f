/* Starts a worker that is several processes: the ranks of an MPI variant (common/mpi.h). */
#ifndef RUNGS_LAUNCH_H
#define RUNGS_LAUNCH_H

#include <stddef.h>

#include "harness/model/card.h"

/* For a child of the parent: becomes mpirun, or what RUNGS_MPI names, which starts rungs-ranks that many times, or the
   program that a simulated variant is.  Rank 0 gets the connection to the parent.  `folder`: for their files; "": the usual one. */
_Noreturn void launch_ranks(const struct card *v, int ranks, size_t memory, const char *folder, int connection);

#endif
