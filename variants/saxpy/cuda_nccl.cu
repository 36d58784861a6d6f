/*
 * saxpy / cuda_nccl
 *
 * Idea     A process for each GPU.  Rank 0 copies each share to its own GPU, which sends it on by NCCL; every GPU
 *          computes its share, and the answer comes back the same way.
 * Against  cuda_multi, one process whose threads copy to all GPUs at once.
 * Expect   run alone is as many times faster as there are GPUs, because nothing is sent in it.  The whole call is no faster
 *          than on one GPU: all data go through rank 0's bus, which is slower than everything behind it.
 * Try      --ranks 1,2: which of upload, run and download gets shorter?
 * Level    2
 * Read     cuda_ranks.h
 */
/* needs: nccl */
#include "common/ranks_nccl.h" /* ranks_begin, ranks_end, ranks_scatter, ranks_gather; stream */
#include "cuda_ranks.h" /* refuse, prepare, upload, run, download, release */

VARIANT(.idea = "a process a GPU, by NCCL: scatter, compute, gather",
        .base = "cuda_multi",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_RANKS,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
