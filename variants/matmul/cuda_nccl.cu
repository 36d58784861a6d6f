/*
 * matmul / cuda_nccl
 *
 * Idea     A process for each GPU, with bands of rows of A, of B and of C.  The bands of B go around a ring of GPUs by NCCL;
 *          each GPU multiplies the one that it has while the next one arrives.
 * Against  cuda_async, the same sums on one GPU; and cuda_multi, where each GPU gets all of B.
 * Expect   run nearly as many times faster as there are GPUs: at n = 8192, two GPUs exchange 134 MB each, half a millisecond
 *          with NVLink, while they compute for ten.  The whole call is limited by rank 0's bus.
 * Try      n=512 and n=8192 with --ranks 1,2: when does a band take longer to arrive than to multiply?
 * Level    3
 * Read     cuda_ranks.h, async.h
 */
/* needs: nccl */
#include "common/ranks_nccl.h" /* ranks_begin, ranks_end, ranks_scatter, ranks_gather; nccl, stream */
#include "cuda_ranks.h"        /* refuse, prepare, upload, run, download, release; messages */

static void ring_open(size_t largest)
{
    (void)largest; /* NCCL needs no buffers of ours */
}

static void ring_close(void)
{
}

/* Before the product, whose blocks would otherwise fill the GPU first. */
static void pass_before(const struct pass *p)
{
    NCCL(ncclGroupStart());
    NCCL(ncclSend(p->d_sent, p->send_bytes, ncclChar, p->to, nccl, messages));
    NCCL(ncclRecv(p->d_received, p->receive_bytes, ncclChar, p->from, nccl, messages));
    NCCL(ncclGroupEnd());
}

static void pass_after(const struct pass *p)
{
    (void)p;
}

VARIANT(.idea = "a process a GPU: bands of B go around a ring by NCCL",
        .base = "cuda_async",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_RANKS,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
