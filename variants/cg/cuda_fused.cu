/*
 * cg / cuda_fused
 *
 * Idea     Inner products in the kernels that make their factors: three launches an iteration in place of five, and q and r
 *          are not read again for them.
 * Against  cuda_warp: the same product, and a kernel for each inner product.
 * Expect   Two launches an iteration less: at n = 512 and 2048 most of the time is launches.  At 16384 nothing.
 * Try      --every 1: the host looks after each iteration, and the device waits for it.
 * Level    2
 * Read     cuda_buffers.h, cuda_rows.h, cuda_steps.h
 */
#include "common/variant.h"
#include "cuda_rows.h" /* iterate_once, iterate_on_device; prepare, upload, download, release; d_a */

static void run(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;

    iterate_on_device(s, [=] { iterate_once(s->n, d_a, 0); });
}

VARIANT(.idea = "inner products where their factors are made: three launches",
        .base = "cuda_warp",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
