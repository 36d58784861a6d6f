/*
 * align / cuda_fused
 *
 * Idea     Three kernels.  What would be a kernel of its own becomes the end or the beginning of a transform: taking a + ib
 *          apart, the cross-power spectrum, and the search for the peak.  Each number is in registers then anyway.  g is
 *          never stored.
 * Against  cuda_shared: widening, six visits of transforms, combining and searching, each through memory.
 * Expect   32 bytes a pixel in place of some 150, so about four times as fast where memory is the limit.
 * Try      Store g, as a library would: how much does it cost?
 * Level    3
 * Read     ../fft/butterflies.h, ../fft/cuda_pass.h, ../fft/passes.h, cuda_buffers.h, cuda_fused.h, cuda_fused_host.h, peak.h
 */
#include "common/variant.h"
#include "cuda_fused_host.h" /* the three kernels; job_make, job_launch, job_free, refuse_lengths */

static job whole;

static void prepare(const void *problem)
{
    const struct align *p = (const struct align *)problem;

    buffers_prepare(problem);
    whole = job_make(p, p->pairs);
    whole.a = d_a;
    whole.b = d_b;
    whole.eps = d_eps;
    whole.to = d_answers;
}

static void run(const void *problem)
{
    (void)problem;
    job_launch(whole, 0);
}

static void release(void)
{
    job_free(&whole);
    buffers_release();
}

VARIANT(.idea = "three kernels: nothing in memory but half of a spectrum",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse_lengths,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
