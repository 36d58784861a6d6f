/*
 * For variants on GPUs whose ranks send each other messages by NCCL, NVIDIA's library: cuda_nccl.  A rank has one GPU.
 *
 * A message of NCCL is a kernel: it waits in a stream for what was queued before it, and moves data from GPU to GPU, by
 * NVLink, the bus or a network, without the host.  MPI only starts the ranks, and hands the communicator's name around.
 * NVLink's multicast (NCCL_NVLS_ENABLE) stays off unless the user sets it.
 */
#ifndef RUNGS_RANKS_NCCL_H
#define RUNGS_RANKS_NCCL_H

#include <nccl.h>

#include "common/cuda.h"
#include "common/mpi.h"

/* Around every call of NCCL, as CUDA() is around those of the runtime. */
#define NCCL(call)                                                                                 \
    do {                                                                                           \
        ncclResult_t nccl_status_ = (call);                                                        \
        if (nccl_status_ != ncclSuccess)                                                           \
            cuda_failed(__FILE__, __LINE__, #call,                                                 \
                        nccl_status_ == ncclInvalidUsage ? ncclGetLastError(NULL)                  \
                                                         : ncclGetErrorString(nccl_status_), 0);   \
    } while (0)

static ncclComm_t nccl;      /* of all ranks, as long as the process lives: it takes a part of a second to make */
static cudaStream_t stream;  /* of all copies, messages and kernels, if the variant makes no other */
static char *ranks_d_piece;  /* at rank 0: parts of inputs and answers of other ranks */
static size_t ranks_piece;   /* its bytes */

/* For refuse, which is called before there is a communicator.  NCCL itself would end all ranks. */
static const char *ranks_refuse(void)
{
    const char *several = getenv("NCCL_MULTI_RANK_GPU_ENABLE");
    int gpus;

    CUDA(cudaGetDeviceCount(&gpus));
    return mpi_host_ranks() > gpus && (several == NULL || several[0] != '1') ? "NCCL: one rank for each GPU at most" : NULL;
}

static void ranks_join(void)
{
    ncclUniqueId name;

    setenv("NCCL_NVLS_ENABLE", "0", 0);
    setenv("NCCL_RAS_ENABLE", "0", 0); /* a service for its own monitor, with a thread that stays */
    if (mpi_rank() == 0)
        NCCL(ncclGetUniqueId(&name));
    MPI_Bcast(&name, sizeof name, MPI_BYTE, 0, MPI_COMM_WORLD);
    NCCL(ncclCommInitRank(&nccl, mpi_ranks(), name, mpi_rank()));
}

/* For prepare.  Takes this rank's GPU; the first time, joins all ranks. */
static void ranks_begin(void)
{
    enum { PIECE = 32 << 20 };
    int gpus;

    CUDA(cudaGetDeviceCount(&gpus));
    CUDA(cudaSetDevice(mpi_host_rank() % gpus));
    if (nccl == NULL)
        ranks_join();
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    ranks_piece = PIECE;
    CUDA(cudaMalloc(&ranks_d_piece, mpi_rank() == 0 ? ranks_piece : 0));
}

static void ranks_end(void)
{
    CUDA(cudaFree(ranks_d_piece));
    CUDA(cudaStreamDestroy(stream));
}

/* From rank 0's memory to a rank's GPU, by rank 0's GPU.  `d_to` is of rank `to`, `from` of rank 0. */
static void ranks_send_up(const void *from, int to, void *d_to, size_t bytes)
{
    const int me = mpi_rank();

    if (to == 0 && me == 0 && bytes > 0)
        CUDA(cudaMemcpyAsync(d_to, from, bytes, cudaMemcpyHostToDevice, stream));
    for (size_t at = 0; to != 0 && at < bytes; at += ranks_piece) {
        const size_t now = bytes - at < ranks_piece ? bytes - at : ranks_piece;

        if (me == 0) {
            CUDA(cudaMemcpyAsync(ranks_d_piece, (const char *)from + at, now, cudaMemcpyHostToDevice, stream));
            NCCL(ncclSend(ranks_d_piece, now, ncclChar, to, nccl, stream));
        } else if (me == to) {
            NCCL(ncclRecv((char *)d_to + at, now, ncclChar, 0, nccl, stream));
        }
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

        if (me == from) {
            NCCL(ncclSend((const char *)d_from + at, now, ncclChar, 0, nccl, stream));
        } else if (me == 0) {
            NCCL(ncclRecv(ranks_d_piece, now, ncclChar, from, nccl, stream));
            CUDA(cudaMemcpyAsync((char *)to + at, ranks_d_piece, now, cudaMemcpyDeviceToHost, stream));
        }
    }
}

/* From rank 0's memory to all GPUs. */
[[maybe_unused]] static void ranks_broadcast(const void *from, void *d_to, size_t bytes)
{
    if (bytes == 0)
        return;
    if (mpi_rank() == 0)
        CUDA(cudaMemcpyAsync(d_to, from, bytes, cudaMemcpyHostToDevice, stream));
    NCCL(ncclBroadcast(d_to, d_to, bytes, ncclChar, 0, nccl, stream));
    CUDA(cudaStreamSynchronize(stream));
}

#include "common/ranks_parts.h" /* ranks_scatter, ranks_gather */

#endif
