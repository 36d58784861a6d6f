/*
 * matmul / cuda_async
 *
 * Idea     Asynchronous copies bring slices of A and B from global to shared memory without passing
 *          through registers.  The freed registers hold 16 x 8 elements of C per thread, and the
 *          factors of the next multiply-adds beside those in use.
 * Against  cuda_tiled: 8 x 8 per thread, and the next slice waits in registers.
 * Expect   Bound by the registers.  They lie in two banks, and each bank gives a warp one operand
 *          per cycle, but a multiply-add has three.  So one operand must be that of the
 *          multiply-add before, which the hardware keeps, and the other two must come from
 *          different banks.  `multiply` and the addition of zero (async.h, boxed) let the compiler
 *          find such an order.
 * Try      Without "+ zero": async.h says what happens.  Or SLICE = 16: the loop outgrows the
 *          instruction cache.
 * Level    3
 * Read     async.h, async_host.h, cuda_buffers.h
 */
#include "common/variant.h"
#include "async.h"      /* multiply_tile, place_of, put */
#include "async_host.h" /* prepare_wide, upload, download, release_wide; product_of */

/* A block a tile */
template <bool VECTORS>
__global__ static void __launch_bounds__(square::threads, square::per_processor)
    matmul_async(struct product p, float zero)
{
    multiply_tile<square, A_FIRST, sizeof(float4)>(
        p, place_of<square>(p, blockIdx.x), 0, slices_of(p.k), zero,
        [](unsigned, float *row, size_t at, size_t length, float4 four) {
            put<VECTORS>(row, at, length, four);
        });
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const unsigned tiles = tiles_in<square>(p->m, p->n);

    if (tiles == 0)
        return;

    const struct product product = product_of(p);

    if (p->n % 4 == 0)
        matmul_async<true><<<tiles, square::threads>>>(product, -0.0f);
    else
        matmul_async<false><<<tiles, square::threads>>>(product, -0.0f);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "asynchronous copies, and a tile twice as large in each thread's registers",
        .base = "cuda_tiled",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_wide,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_wide)
