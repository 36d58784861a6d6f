/*
 * fft / cuda_bluestein
 *
 * Idea     Any length.  Radices from 2 to 16 in any mixture, chosen at run time, in a block; long
 *          signals as columns and rows.  A length with a larger prime factor is a convolution with a
 *          chirp (Bluestein), and so two transforms of a length that has none.  All of its products
 *          are done on the way: in a block that is one kernel, and three for a long prime.
 * Against  cuda_registers, which has lengths with the factors 2 and 5 alone.
 * Expect   Products of small factors: bound by memory as before, 32 bytes a number in two steps.  A
 *          prime: the convolution is twice as long, and its numbers make three trips instead of two,
 *          so three times as long or more.
 * Try      In lines_cost.h, TRIP = 0: passes alone then decide where n is divided.  And 10^6 + 3 beside
 *          10^6: what does a prime cost?
 * Level    3
 * Read     butterflies.h, cuda_buffers.h, cuda_pass.h, lines.h, lines_cost.h, lines_host.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* d_x, d_X, upload, download */

/* As in cuda_dependent: a kernel starts early where the device can do that, and waits before it touches what the previous
   one reads or writes. */
__device__ static void next_may_start(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

__device__ static void previous_has_ended(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

#include "lines.h"      /* the kernels: start here */
#include "lines_host.h" /* refuse_length, prepare_length, run_length, release_length */

static void prepare(const void *problem)
{
    buffers_prepare(problem);
    prepare_length((const struct fft *)problem);
}

static void run(const void *problem)
{
    (void)problem;
    run_length(d_x, d_X);
}

static void release(void)
{
    release_length();
    buffers_release();
}

VARIANT(.idea = "any length: mixed radices, and Bluestein's convolution for large primes",
        .base = "cuda_registers",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse_length,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
