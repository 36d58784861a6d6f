/*
 * align / cuda_dependent
 *
 * Idea     A kernel may start before the previous one has ended ("programmatic dependent launch").  Its blocks are placed, rows are
 *          loaded and transformed, and only then does it wait.
 * Against  cuda_fused: the same three kernels, one after another.
 * Expect   A microsecond less per kernel, so some 3 of 25 at 1024 x 1024, and nothing at 4096 x 4096.
 * Try      whole.early = false: it is cuda_fused.
 * Level    3
 * Read     ../fft/butterflies.h, ../fft/cuda_pass.h, ../fft/passes.h, cuda_buffers.h, cuda_fused.h, cuda_fused_host.h, peak.h
 */
#include "common/variant.h"
#include "cuda_fused_host.h" /* the three kernels; job_make, job_launch, job_free, refuse_lengths */

static job whole;

static const char *refuse(const void *problem)
{
    int major;

    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    return major >= 9 ? refuse_lengths(problem) : "needs compute capability 9.0 or more";
}

static void prepare(const void *problem)
{
    const struct align *p = (const struct align *)problem;

    buffers_prepare(problem);
    whole = job_make(p, p->pairs);
    whole.a = d_a;
    whole.b = d_b;
    whole.eps = d_eps;
    whole.to = d_answers;
    whole.early = true;
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

VARIANT(.idea = "a kernel starts before the previous one has ended",
        .base = "cuda_fused",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
