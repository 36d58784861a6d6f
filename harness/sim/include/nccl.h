/*
 * NCCL's calls for the simulator, as far as variants use them: by MPI, through the host's memory.
 *
 * As in NCCL, a message waits for what its stream holds, and what is queued behind it waits for the message.  Its ends are
 * copies in that stream, so that the simulator finds a kernel that does not wait for what has come.  Unlike NCCL, a call
 * returns when the messages have arrived.  So what comes before a message in its stream has always ended afterwards: a
 * kernel of another stream that does not wait for that is not found.
 */
#ifndef CUDASIM_NCCL_H
#define CUDASIM_NCCL_H

#include <cuda_runtime.h>
#include <stdlib.h>

#include "common/mpi.h" /* mpi.h without its C++ classes */

typedef enum { ncclSuccess = 0, ncclInvalidUsage = 5 } ncclResult_t;
typedef enum { ncclChar = 0 } ncclDataType_t;
typedef struct { char internal[128]; } ncclUniqueId;
typedef struct cudasim_nccl *ncclComm_t;

struct cudasim_nccl {
    MPI_Comm comm;
};

/* Messages of the open group, or one that is alone. */
struct cudasim_message {
    bool sends;
    void *at;
    char *host;
    size_t bytes;
    int peer;
    cudaStream_t stream;
};
enum { CUDASIM_MESSAGES = 4096 };
static struct cudasim_message cudasim_messages[CUDASIM_MESSAGES];
static int cudasim_count, cudasim_depth;
static ncclComm_t cudasim_comm;

static inline const char *ncclGetErrorString(ncclResult_t) { return "NCCL in the simulator: CUDA has failed"; }
static inline const char *ncclGetLastError(ncclComm_t) { return "NCCL in the simulator: invalid usage"; }

static inline ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
    *id = ncclUniqueId();
    return ncclSuccess;
}

static inline ncclResult_t ncclCommInitRank(ncclComm_t *c, int, ncclUniqueId, int)
{
    *c = (ncclComm_t)malloc(sizeof **c);
    MPI_Comm_dup(MPI_COMM_WORLD, &(*c)->comm);
    return ncclSuccess;
}

/* Copies to ordinary memory are complete when they return, and copies from it have read it then. */
static inline ncclResult_t cudasim_exchange(void)
{
    static MPI_Request requests[CUDASIM_MESSAGES];
    bool good = true;

    for (int i = 0; i < cudasim_count; i++) {
        struct cudasim_message *m = &cudasim_messages[i];

        m->host = (char *)malloc(m->bytes + 1);
        if (m->sends)
            good &= cudaMemcpyAsync(m->host, m->at, m->bytes, cudaMemcpyDeviceToHost, m->stream) == cudaSuccess;
    }
    for (int i = 0; i < cudasim_count; i++) {
        struct cudasim_message *m = &cudasim_messages[i];

        if (m->sends)
            MPI_Isend(m->host, (int)m->bytes, MPI_BYTE, m->peer, 0, cudasim_comm->comm, &requests[i]);
        else
            MPI_Irecv(m->host, (int)m->bytes, MPI_BYTE, m->peer, 0, cudasim_comm->comm, &requests[i]);
    }
    MPI_Waitall(cudasim_count, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < cudasim_count; i++) {
        struct cudasim_message *m = &cudasim_messages[i];

        if (!m->sends)
            good &= cudaMemcpyAsync(m->at, m->host, m->bytes, cudaMemcpyHostToDevice, m->stream) == cudaSuccess;
        free(m->host);
    }
    cudasim_count = 0;
    return good ? ncclSuccess : ncclInvalidUsage;
}

static inline ncclResult_t ncclGroupStart(void)
{
    cudasim_depth++;
    return ncclSuccess;
}

static inline ncclResult_t ncclGroupEnd(void)
{
    return --cudasim_depth == 0 ? cudasim_exchange() : ncclSuccess;
}

static inline ncclResult_t cudasim_message(bool sends, const void *at, size_t bytes, int peer, ncclComm_t c,
                                           cudaStream_t s)
{
    if (cudasim_count == CUDASIM_MESSAGES)
        return ncclInvalidUsage;
    cudasim_comm = c;
    cudasim_messages[cudasim_count++] = {sends, (void *)at, NULL, bytes, peer, s};
    return cudasim_depth == 0 ? cudasim_exchange() : ncclSuccess;
}

static inline ncclResult_t ncclSend(const void *from, size_t bytes, ncclDataType_t, int to, ncclComm_t c, cudaStream_t s)
{
    return cudasim_message(true, from, bytes, to, c, s);
}

static inline ncclResult_t ncclRecv(void *to, size_t bytes, ncclDataType_t, int from, ncclComm_t c, cudaStream_t s)
{
    return cudasim_message(false, to, bytes, from, c, s);
}

/* In place, as variants here use it. */
static inline ncclResult_t ncclBroadcast(const void *, void *at, size_t bytes, ncclDataType_t, int root, ncclComm_t c,
                                         cudaStream_t s)
{
    int rank, ranks;

    MPI_Comm_rank(c->comm, &rank);
    MPI_Comm_size(c->comm, &ranks);
    ncclGroupStart();
    for (int r = 0; rank == root && r < ranks; r++)
        if (r != root)
            ncclSend(at, bytes, ncclChar, r, c, s);
    if (rank != root)
        ncclRecv(at, bytes, ncclChar, root, c, s);
    return ncclGroupEnd();
}

#endif
