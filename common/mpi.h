/*
 * The contract of variants that run as several processes, by MPI.
 *
 * Such a variant has the trait TRAIT_RANKS, and the comment "needs: mpicc" in its file.  The harness starts it several
 * times, by mpirun, or by the command that the environment variable RUNGS_MPI holds ("srun --mpi=pmix"): once for each of
 * --ranks, without that option as often as other variants have threads.  Each process is a rank of MPI_COMM_WORLD.  The
 * harness has called MPI_Init, and leads all ranks through the same phases (SPMD):
 *
 *     prepare     on all ranks: allocates what each needs
 *     upload      rank 0 gives each rank its part of the inputs: MPI_Scatterv, MPI_Bcast
 *     run         all ranks compute; each has only what upload has given it
 *     download    rank 0 gets the answer: MPI_Gatherv
 *     release     on all ranks
 *
 * refuse is called on rank 0 alone.  *problem has the same sizes and scalars on every rank.  Its arrays are rank 0's; on
 * the others they are NULL.  There may be more ranks than items, so a share may be empty.
 *
 * A CUDA file may be such a variant, too.  Then each rank takes a GPU: common/ranks_nccl.h, common/ranks_staged.h.
 *
 * A phase has ended when every rank has returned from it, so its time is that of the slowest one.  If a rank fails, all
 * are ended, and the reason in the variant's row names that rank.
 */
#ifndef RUNGS_MPI_H
#define RUNGS_MPI_H

#include <limits.h>
#define OMPI_SKIP_MPICXX 1 /* C++ uses the functions of C */
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

#include "variant.h"

/* SENDS("halo")    at most once in a file, without a semicolon: the pattern of what the ranks send in run, from which
   "rungs scale" computes times with more ranks.  docs/clusters.md lists the patterns. */
#define SENDS(pattern)                                                                             \
    RUNGS_EXPORT extern const char rungs_sends[];                                                  \
    const char rungs_sends[] = pattern;

static inline int mpi_rank(void)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static inline int mpi_ranks(void)
{
    int ranks;

    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

/* Which of its host's ranks this one is, and how many these are.  The harness has counted them, so that refuse may ask. */
static inline int mpi_host_rank(void)
{
    return atoi(getenv("RUNGS_HOST_RANK"));
}

static inline int mpi_host_ranks(void)
{
    return atoi(getenv("RUNGS_HOST_RANKS"));
}

/* How items are cut: each rank has a contiguous share, and the shares differ by one item at most. */
struct mpi_cut {
    int *counts, *offsets; /* [ranks] of every rank, in items, as MPI_Scatterv and MPI_Gatherv take them */
    size_t begin, count;   /* of this rank */
};

/* For refuse: why so many items cannot be cut, or NULL. */
static inline const char *mpi_too_many(size_t items)
{
    return items > INT_MAX ? "MPI counts items in int" : NULL;
}

/* Cuts at most 2^31 - 1 items.  Free the result with mpi_cut_free. */
static inline struct mpi_cut mpi_cut(size_t items)
{
    const size_t ranks = (size_t)mpi_ranks();
    int *counts = (int *)calloc(2 * ranks, sizeof *counts), *offsets = counts + ranks;

    for (size_t r = 0; r < ranks; r++) {
        offsets[r] = (int)(items * r / ranks);
        counts[r] = (int)(items * (r + 1) / ranks) - offsets[r];
    }
    const int rank = mpi_rank();
    const struct mpi_cut cut = {counts, offsets, (size_t)offsets[rank], (size_t)counts[rank]};
    return cut;
}

static inline void mpi_cut_free(struct mpi_cut *cut)
{
    free(cut->counts);
    cut->counts = cut->offsets = NULL;
}

#endif
