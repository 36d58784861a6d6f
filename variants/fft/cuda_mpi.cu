/*
 * fft / cuda_mpi
 *
 * Idea     As cuda_nccl, but what is exchanged goes through the host: the GPU copies what it has packed to page-locked
 *          memory, MPI sends a part to each rank, and the GPUs copy what has come.
 * Against  cuda_nccl, whose messages go from GPU to GPU.
 * Expect   With many signals the same run.  A single one many times slower: every number goes over the bus and through the
 *          host's memory three times, at a few GB/s, where NVLink moves hundreds.
 * Try      batch=1 n=2^24 with --ranks 2, beside cuda_nccl.
 * Level    3
 * Read     cuda_ranks.h, lines.h, lines_host.h, lines_cost.h, butterflies.h, cuda_pass.h
 */
/* needs: mpicc */
#include "common/ranks_staged.h" /* ranks_begin, ranks_end, ranks_scatter, ranks_gather; stream */
#include "cuda_ranks.h"          /* refuse, prepare, upload, run, download, release; d_packed, d_received */

static float2 *sent, *received; /* page-locked */

static void all_to_all(const int send_count[], const int send_at[], const int receive_count[], const int receive_at[])
{
    const int last = mpi_ranks() - 1;

    CUDA(cudaMemcpyAsync(sent, d_packed, (send_at[last] + send_count[last]) * sizeof *sent, cudaMemcpyDeviceToHost, stream));
    CUDA(cudaStreamSynchronize(stream)); /* and the copy of what had been received has ended */
    MPI_Alltoallv(sent, send_count, send_at, MPI_C_FLOAT_COMPLEX, received, receive_count, receive_at, MPI_C_FLOAT_COMPLEX,
                  MPI_COMM_WORLD);
    CUDA(cudaMemcpyAsync(d_received, received, (receive_at[last] + receive_count[last]) * sizeof *received,
                         cudaMemcpyHostToDevice, stream));
}

static void prepare_staged(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    prepare(problem);
    if (many || p->batch == 0)
        return;
    CUDA(cudaMallocHost(&sent, (n1s.count * n2 > n2s.count * n1 ? n1s.count * n2 : n2s.count * n1) * sizeof *sent));
    CUDA(cudaMallocHost(&received, (n1s.count * n2 > n2s.count * n1 ? n1s.count * n2 : n2s.count * n1) * sizeof *sent));
}

static void release_staged(void)
{
    CUDA(cudaFreeHost(sent));
    CUDA(cudaFreeHost(received));
    sent = received = NULL;
    release();
}

VARIANT(.idea = "a process a GPU, by MPI: exchanges through page-locked memory",
        .base = "cuda_nccl",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_RANKS,
        .refuse = refuse,
        .prepare = prepare_staged,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_staged)
