/*
 * stencil / cuda_nccl
 *
 * Idea     A process for each GPU, with a band of rows.  The rows at the band's edges travel to the neighbours' GPUs
 *          by NCCL, in a stream of their own, while the inner rows are computed, which need nothing of the neighbours.
 * Against  cuda_multi, whose GPUs fetch halos before each sweep, and wait for each other by the host.
 * Expect   run nearly as many times faster as there are GPUs, if the inner rows take longer than a message: 15 to 20 us
 *          with NVLink, in which an H200 moves some 50 MB.  A smaller band waits for its halos.
 * Try      rows=2048 cols=2048 with --ranks 1,2: a sweep of such an image takes less than a message does.
 * Level    3
 * Read     cuda_ranks.h, cuda_kernel.h
 */
/* needs: nccl */
#include "common/ranks_nccl.h" /* ranks_begin, ranks_end, ranks_scatter, ranks_gather; nccl, stream */
#include "cuda_ranks.h"        /* refuse, prepare_band, upload, run, download, release_band; all about the band */

/* A group: its messages are one kernel, and none waits for another. */
static void exchange(char *d_image)
{
    char *rows = d_image + first * row_bytes, *last = rows + (cut.count - 1) * row_bytes;

    NCCL(ncclGroupStart());
    if (above != MPI_PROC_NULL) {
        NCCL(ncclSend(rows, row_bytes, ncclChar, above, nccl, edges));
        NCCL(ncclRecv(d_image, row_bytes, ncclChar, above, nccl, edges));
    }
    if (below != MPI_PROC_NULL) {
        NCCL(ncclSend(last, row_bytes, ncclChar, below, nccl, edges));
        NCCL(ncclRecv(last + row_bytes, row_bytes, ncclChar, below, nccl, edges));
    }
    NCCL(ncclGroupEnd());
}

static void prepare(const void *problem)
{
    prepare_band((const struct stencil *)problem);
}

static void release(void)
{
    release_band();
}

VARIANT(.idea = "a process a GPU: halos by NCCL, while the inner rows are computed",
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
