/*
 * saxpy / cuda_mpi
 *
 * Idea     A process for each GPU.  Rank 0 scatters shares by MPI, and each rank copies its own to its GPU, through
 *          page-locked memory; the answer comes back the same way.
 * Against  cuda_nccl, whose shares go from GPU to GPU.
 * Expect   run as cuda_nccl.  upload and download are slower: a share is copied from process to process by the host,
 *          at a few GB/s, before it meets the bus.
 * Try      --ranks 1,2,4 on one GPU: processes that share it take turns.  What does run cost then?
 * Level    2
 * Read     cuda_ranks.h
 */
/* needs: mpicc */
#include "common/ranks_staged.h" /* ranks_begin, ranks_end, ranks_scatter, ranks_gather; stream */
#include "cuda_ranks.h" /* refuse, prepare, upload, run, download, release */

VARIANT(.idea = "a process a GPU, by MPI: copies through page-locked memory",
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
