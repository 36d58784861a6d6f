/*
 * matmul / cuda_mpi
 *
 * Idea     As cuda_nccl, but the bands of B go around the ring by MPI, from page-locked memory to page-locked memory, and
 *          each GPU copies the one that has come.
 * Against  cuda_nccl, whose messages go from GPU to GPU.
 * Expect   For large matrices nearly the same, since a band has the time of a product to arrive.  At a few GB/s from
 *          process to process it takes longer than the product up to n = 8192 or so, and the GPU waits.
 * Try      n=2048, 8192 and 16384 with --ranks 2: where does it catch up with cuda_nccl?
 * Level    3
 * Read     cuda_ranks.h, async.h
 */
/* needs: mpicc */
#include "common/ranks_staged.h" /* ranks_begin, ranks_end, ranks_scatter, ranks_gather; stream */
#include "cuda_ranks.h"          /* refuse, prepare, upload, run, download, release; messages */

static char *band[2]; /* this rank's band of B and, in turn, those of others; page-locked */

static void ring_open(size_t largest)
{
    for (char *&b : band)
        CUDA(cudaMallocHost(&b, largest));
}

static void ring_close(void)
{
    for (char *b : band)
        CUDA(cudaFreeHost(b));
}

/* Only its own band is not in the host's memory yet. */
static void pass_before(const struct pass *p)
{
    if (p->step == 0)
        CUDA(cudaMemcpyAsync(band[0], p->d_sent, p->send_bytes, cudaMemcpyDeviceToHost, messages));
}

/* Meanwhile the GPU multiplies.  The copy of the band before has ended when its memory is overwritten. */
static void pass_after(const struct pass *p)
{
    char *const sent = band[p->step % 2], *const received = band[1 - p->step % 2];

    CUDA(cudaStreamSynchronize(messages));
    for (size_t at = 0; at < p->send_bytes || at < p->receive_bytes; at += ranks_piece) { /* MPI counts in int */
        const size_t out = at < p->send_bytes ? min(p->send_bytes - at, ranks_piece) : 0;
        const size_t in = at < p->receive_bytes ? min(p->receive_bytes - at, ranks_piece) : 0;

        MPI_Sendrecv(sent + (out > 0 ? at : 0), (int)out, MPI_BYTE, out > 0 ? p->to : MPI_PROC_NULL, 0,
                     received + (in > 0 ? at : 0), (int)in, MPI_BYTE, in > 0 ? p->from : MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    CUDA(cudaMemcpyAsync(p->d_received, received, p->receive_bytes, cudaMemcpyHostToDevice, messages));
}

VARIANT(.idea = "a process a GPU: bands of B go around a ring by MPI",
        .base = "cuda_nccl",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_RANKS,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
