/*
 * fft / cuda_registers
 *
 * Idea     Each thread holds R numbers in registers, and a pass is one butterfly of all R: 8, 10,
 *          16 or 32 of them.  So R^2 or R^3 points take two or three passes, and numbers change
 *          threads between passes only, by way of shared memory (registers.h draws it).  A long
 *          transform is n1*n2, columns then rows, as in cuda_shared.
 * Against  cuda_shared, with a radix of 8 at most, which reads and writes shared memory once per
 *          pass and twice more.
 * Expect   Bound by memory: 16 bytes per number, and 32 for a long transform.  Some 60 instructions
 *          per number hide behind that.  For long transforms the second-level cache is nearly as
 *          busy as memory.
 * Try      In registers_host.h, side = 4 for many signals, or 8 for one.  Or a few signals at a
 *          time, so that the cache holds what lies between the two steps: does it pay for the
 *          additional launches?
 * Level    2
 * Read     butterflies.h, cuda_buffers.h, cuda_pass.h, passes.h, registers.h, registers_host.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* d_x, d_X, upload, download */

/* Nothing to do: kernels of a stream run one after another. */
__device__ static void next_may_start(void) {}
__device__ static void previous_has_ended(void) {}

#include "registers.h"      /* the kernels: start here */
#include "registers_host.h" /* one, two, split, side; refuse_length, prepare_length, ... */

static void prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    prepare_length(p, p->batch);
}

static void run_whole(size_t batch)
{
    unsigned side = signals_of_a_block();
    dim3 block(one->threads, side);

    one->whole<<<(unsigned)((batch + side - 1) / side), block, side * one->shared>>>(batch, d_w1,
                                                                                   d_x, d_X);
    CUDA(cudaGetLastError());
}

static void run_split(size_t batch)
{
    const unsigned n1 = one->n, n2 = two->n;
    dim3 block1(side, one->threads), block2(side, two->threads);

    split.columns<<<blocks_of(batch, n2), block1, side * one->shared>>>(n2, d_w1, d_near, d_far,
                                                                        d_x, d_a);
    CUDA(cudaGetLastError());
    split.rows<<<blocks_of(batch, n1), block2, side * two->shared>>>(n1, d_w2, d_a, d_X);
    CUDA(cudaGetLastError());
}

static void run(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    if (p->batch > 0 && two == NULL)
        run_whole(p->batch);
    else if (p->batch > 0)
        run_split(p->batch);
}

VARIANT(.idea = "butterflies of up to 32 numbers in registers",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse_length,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_length)
