/*
 * For variants on GPUs whose ranks send each other messages by MPI: cuda_mpi.  A rank has one GPU.
 *
 * MPI reads and writes the host's memory here, as any MPI can.  So what a GPU has computed goes through page-locked
 * buffers, which the GPU copies from and to at the rate of the bus:
 *
 *     GPU  --bus-->  sent  --MPI-->  received of another rank  --bus-->  its GPU
 *
 * An MPI that is built for CUDA would take the GPU's addresses.  cuda_nccl shows what that is worth.
 */
#ifndef RUNGS_RANKS_STAGED_H
#define RUNGS_RANKS_STAGED_H

#include <string.h>

#include "common/cuda.h"
#include "common/mpi.h"

static char *ranks_locked;  /* for parts of inputs and answers */
static size_t ranks_piece;  /* its bytes */
static cudaStream_t stream; /* of all copies and kernels, if the variant makes no other */

static inline const char *ranks_refuse(void)
{
    return NULL; /* several ranks may share a GPU */
}

/* For prepare.  Takes this rank's GPU: the ranks of a host take them in turn. */
static void ranks_begin(void)
{
    enum { PIECE = 16 << 20 };
    int gpus;

    CUDA(cudaGetDeviceCount(&gpus));
    CUDA(cudaSetDevice(mpi_host_rank() % gpus));
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    ranks_piece = PIECE;
    CUDA(cudaMallocHost(&ranks_locked, ranks_piece));
}

static void ranks_end(void)
{
    CUDA(cudaFreeHost(ranks_locked));
    CUDA(cudaStreamDestroy(stream));
}

/* From rank 0's memory to a rank's GPU, piece by piece.  `d_to` is of rank `to`, `from` of rank 0. */
static void ranks_send_up(const void *from, int to, void *d_to, size_t bytes)
{
    const int me = mpi_rank();

    if (to == 0 && me == 0 && bytes > 0)
        CUDA(cudaMemcpyAsync(d_to, from, bytes, cudaMemcpyHostToDevice, stream));
    for (size_t at = 0; to != 0 && at < bytes; at += ranks_piece) {
        const size_t now = bytes - at < ranks_piece ? bytes - at : ranks_piece;

        if (me == 0)
            MPI_Send((const char *)from + at, (int)now, MPI_BYTE, to, 0, MPI_COMM_WORLD);
        if (me != to)
            continue;
        MPI_Recv(ranks_locked, (int)now, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CUDA(cudaMemcpyAsync((char *)d_to + at, ranks_locked, now, cudaMemcpyHostToDevice, stream));
        CUDA(cudaStreamSynchronize(stream));
    }
}

/* The other way. */
static void ranks_send_down(const void *d_from, int from, void *to, size_t bytes)
{
    const int me = mpi_rank();

    if (from == 0 && me == 0 && bytes > 0)
        CUDA(cudaMemcpyAsync(to, d_from, bytes, cudaMemcpyDeviceToHost, stream));
    for (size_t at = 0; from != 0 && at < bytes; at += ranks_piece) {
        const size_t now = bytes - at < ranks_piece ? bytes - at : ranks_piece;

        if (me == 0)
            MPI_Recv((char *)to + at, (int)now, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (me != from)
            continue;
        CUDA(cudaMemcpyAsync(ranks_locked, (const char *)d_from + at, now, cudaMemcpyDeviceToHost, stream));
        CUDA(cudaStreamSynchronize(stream));
        MPI_Send(ranks_locked, (int)now, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
}

/* From rank 0's memory to all GPUs. */
[[maybe_unused]] static void ranks_broadcast(const void *from, void *d_to, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += ranks_piece) {
        const size_t now = bytes - at < ranks_piece ? bytes - at : ranks_piece;

        if (mpi_rank() == 0)
            memcpy(ranks_locked, (const char *)from + at, now);
        MPI_Bcast(ranks_locked, (int)now, MPI_BYTE, 0, MPI_COMM_WORLD);
        CUDA(cudaMemcpyAsync((char *)d_to + at, ranks_locked, now, cudaMemcpyHostToDevice, stream));
        CUDA(cudaStreamSynchronize(stream));
    }
}

#include "common/ranks_parts.h" /* ranks_scatter, ranks_gather */

#endif
