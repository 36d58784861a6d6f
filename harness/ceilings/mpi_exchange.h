/* For ceilings of the network: rank 0 and the last rank send each other a message of the case's bytes, both at the same
   time, again and again.  Halo rows, sums and all-to-alls are such steps. */
#ifndef RUNGS_MPI_EXCHANGE_H
#define RUNGS_MPI_EXCHANGE_H

#include <stdlib.h>

#include "common/mpi.h"
#include "harness/ceilings/ceiling.h"

static char *sent, *received;
static int length, partner;

static void prepare(const void *problem)
{
    const struct ceiling_case *p = problem;
    const int rank = mpi_rank(), last = mpi_ranks() - 1;

    length = (int)p->bytes;
    partner = rank == 0 ? last : rank == last ? 0 : MPI_PROC_NULL;
    sent = calloc(p->bytes, 1);
    received = calloc(p->bytes, 1);
}

static void exchange(int times)
{
    for (int i = 0; i < times; i++)
        MPI_Sendrecv(sent, length, MPI_BYTE, partner, 0, received, length, MPI_BYTE, partner, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
}

static void answer(const void *problem, double work)
{
    const struct ceiling_case *p = problem;

    if (p->work != NULL) { /* rank 0 */
        p->work[0] = work;
        p->work[1] = 1.0;
    }
}

static void release(void)
{
    free(sent);
    free(received);
}

#endif
