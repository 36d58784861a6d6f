/*
 * knn / cuda_mpi
 *
 * Idea     As cuda_nccl, but observations, references and answers go from process to process by MPI, and to each GPU
 *          through page-locked memory.
 * Against  cuda_nccl, whose copies go from GPU to GPU.
 * Expect   run as cuda_nccl.  upload and download take longer, which shows only where there are few references.
 * Try      --ranks 1,2,4 on one GPU: do the ranks, which take turns there, lose anything?
 * Level    2
 * Read     cuda_ranks.h, cuda_kernel.h
 */
/* needs: mpicc */
#include "common/ranks_staged.h" /* ranks_begin, ranks_end, ranks_scatter, ranks_gather, ranks_broadcast; stream */
#include "cuda_ranks.h" /* refuse, prepare, upload, run, download, release */

VARIANT(.idea = "a process a GPU, by MPI: copies through page-locked memory",
        .base = "cuda_nccl",
        .device = &device_gpu,
        .math = MATH_FAST,
        .traits = TRAIT_RANKS,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
