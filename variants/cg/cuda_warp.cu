/*
 * cg / cuda_warp
 *
 * Idea     A warp computes two rows of A p: lanes read 16 neighbouring bytes each, and shuffles add their sums.
 * Against  cuda_shared, where eight threads have a row and sums go through shared memory.
 * Expect   The product at the rate of memory: requests of 512 bytes, no barrier, and p from the first-level cache.
 * Try      ROWS = 1 and 4 in cuda_rows.h.
 * Level    2
 * Read     cuda_buffers.h, cuda_five.h, cuda_rows.h, cuda_steps.h
 */
#include "common/variant.h"
#include "cuda_five.h" /* after_product */
#include "cuda_rows.h" /* multiply_rows, finished, iterate_on_device; prepare, upload, download, release */

__global__ static void cg_warp(size_t n, const float *a, const float *p, float *q, struct state *state)
{
    if (!finished(state))
        multiply_rows(n, (size_t)blockIdx.x * BLOCK_ROWS, a, p, q);
}

static void run(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;

    iterate_on_device(s, [=] {
        cg_warp<<<blocks_for(s->n, BLOCK_ROWS), THREADS>>>(s->n, d_a, d_p, d_q, d_state);
        after_product(s->n);
    });
}

VARIANT(.idea = "a warp two rows, 16 bytes a lane, sums by shuffles",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
