/*
 * fft / cuda_nccl
 *
 * Idea     A process for each GPU.  Of many signals each rank transforms its own.  A single one is cut into six steps, three
 *          of which send each GPU's numbers to all others, by NCCL.
 * Against  cuda_bluestein, the same lines on one GPU; and cuda_multi, where one long signal occupies one GPU.
 * Expect   With many signals, as many times faster as there are GPUs.  A single one pays for three exchanges of half its
 *          numbers (on two GPUs) and for packing them, so two GPUs may well be slower than one; what they have is twice
 *          the memory.
 * Try      batch=1 n=2^24 with --ranks 1,2, then batch=2: what do the exchanges cost?
 * Level    3
 * Read     cuda_ranks.h, lines.h, lines_host.h, lines_cost.h, butterflies.h, cuda_pass.h
 */
/* needs: nccl */
#include "common/ranks_nccl.h" /* ranks_begin, ranks_end, ranks_scatter, ranks_gather; nccl, stream */
#include "cuda_ranks.h"        /* refuse, prepare, upload, run, download, release; d_packed, d_received */

/* A group, in which no message waits for another.  A rank's own part is a copy. */
static void all_to_all(const int send_count[], const int send_at[], const int receive_count[], const int receive_at[])
{
    NCCL(ncclGroupStart());
    for (int r = 0; r < mpi_ranks(); r++) {
        if (send_count[r] > 0 && r != mpi_rank())
            NCCL(ncclSend(d_packed + send_at[r], send_count[r] * sizeof *d_packed, ncclChar, r, nccl, stream));
        if (receive_count[r] > 0 && r != mpi_rank())
            NCCL(ncclRecv(d_received + receive_at[r], receive_count[r] * sizeof *d_received, ncclChar, r, nccl, stream));
    }
    NCCL(ncclGroupEnd());
    CUDA(cudaMemcpyAsync(d_received + receive_at[mpi_rank()], d_packed + send_at[mpi_rank()],
                         send_count[mpi_rank()] * sizeof *d_packed, cudaMemcpyDeviceToDevice, stream));
}

VARIANT(.idea = "a process a GPU, by NCCL: own signals, or six steps with three exchanges",
        .base = "cuda_bluestein",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_RANKS,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
