/*
 * fft / cuda_cufft
 *
 * Idea     cuFFT, NVIDIA's library: at plan time it selects kernels for this n and batch; one call
 *          transforms all signals, out of place.
 * Against  cuda_shared, which also goes through memory once or twice.
 * Expect   Bound by the device's memory: once while a transform fits in a block, twice for most of
 *          the longer ones, like ours, but with radices of 16 and more in registers (cuda_registers
 *          has these too).
 * Try      n = 4096, 8192 and so on to 2^24: where does the time per number double?  There, passes
 *          through memory do.
 * Level    1
 * Read     cuda_buffers.h, cuda_pass.h
 */
#include <cufft.h>
#include <limits.h>

#include "common/variant.h"
#include "cuda_buffers.h" /* d_x, d_X; host functions, to which this file adds */

static cufftHandle plan;
static int planned;

static const char *refuse(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;

    return p->n > INT_MAX || p->batch > INT_MAX ? "cuFFT's plan counts in int" : NULL;
}

static void prepare(const void *problem)
{
    const struct fft *p = (const struct fft *)problem;
    int n = (int)p->n;

    buffers_prepare(problem);
    planned = p->batch > 0; /* a plan for no signals is an error */
    if (planned)
        CUFFT(cufftPlanMany(&plan, 1, &n, NULL, 1, n, NULL, 1, n, CUFFT_C2C, (int)p->batch));
}

static void run(const void *problem)
{
    (void)problem;
    if (planned)
        CUFFT(cufftExecC2C(plan, d_x, d_X, CUFFT_FORWARD));
}

static void release(void)
{
    if (planned)
        CUFFT(cufftDestroy(plan));
    buffers_release();
}

VARIANT(.idea = "cuFFT, one plan for the batch",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
