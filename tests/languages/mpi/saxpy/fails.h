/* A right saxpy by rank 0, but that rank WHO does HOW in run, and all do BESIDE. */
#include <signal.h>
#include <unistd.h>

#include "common/mpi.h"
#include "common/saxpy.h"

#ifndef BESIDE
#define BESIDE (void)0
#endif

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    if (mpi_rank() == WHO)
        HOW;
    BESIDE;
    for (size_t i = 0; mpi_rank() == 0 && i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "fails", .traits = TRAIT_RANKS, .run = run)
