/*
 * knn / cuda_nccl
 *
 * Idea     A process for each GPU, with a share of the observations.  Rank 0's GPU sends each share by NCCL, and the
 *          references to all; each GPU answers for its own observations.
 * Against  cuda_multi, one process whose GPUs draw chunks of observations from a queue.
 * Expect   run as many times faster as there are GPUs, because nothing is sent in it, as long as each has blocks for
 *          all its multiprocessors.  Each observation meets all references meanwhile, so the whole call gains as much where
 *          there are many.
 * Try      m=2^20 n=2^10 with --ranks 1,2: now the copies are the larger part.  What does the whole call gain?
 * Level    2
 * Read     cuda_ranks.h, cuda_kernel.h
 */
/* needs: nccl */
#include "common/ranks_nccl.h" /* ranks_begin, ranks_end, ranks_scatter, ranks_gather, ranks_broadcast; stream */
#include "cuda_ranks.h" /* refuse, prepare, upload, run, download, release */

VARIANT(.idea = "a process a GPU, by NCCL: observations cut, references sent to all",
        .base = "cuda_multi",
        .device = &device_gpu,
        .math = MATH_FAST,
        .traits = TRAIT_RANKS,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
