/*
 * align / cuda_cufft
 *
 * Idea     cuFFT, NVIDIA's library: three calls for real images, one kernel for R, and two for the peak.  Everything stays on
 *          the device.
 * Against  cuda_naive, with transforms of our own.
 * Expect   Good transforms, with whole arrays between them: some 64 bytes a pixel.  Small images are bound by the launches.
 * Try      rungs profile align/cuda_cufft --size L: which share have the transforms' kernels?
 * Level    2
 * Read     cuda_buffers.h, cuda_library.h, peak.h
 */
#include "common/variant.h"
#include "cuda_library.h" /* the chain */

static void run(const void *problem)
{
    const struct align *p = (const struct align *)problem;

    if (p->pairs > 0)
        library_run(p, 0);
}

VARIANT(.idea = "cuFFT's real transforms, and a kernel for R",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse_library,
        .prepare = library_prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = library_release)
