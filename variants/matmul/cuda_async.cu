/*
 * matmul / cuda_async
 *
 * Idea     Slices of A and B go from global to shared memory by asynchronous copies, past the
 *          registers.  That frees so many of them that a thread can hold 16 x 8 elements of C, and
 *          the factors for the next multiply-adds beside those in use.
 * Against  cuda_tiled: 8 x 8 a thread, and the next slice waits in registers.
 * Expect   Bound by what the registers can deliver.  They lie in two banks, and each gives a warp
 *          one operand a cycle, but a multiply-add has three: one has to be the operand of the
 *          multiply-add before, kept at hand, and the others from different banks.  `multiply` and
 *          the addition of zero at the end are there to let the compiler find such an order.
 * Try      Without "+ zero".  Then the compiler stores four sums at once, from registers in a row,
 *          in the order of B's four, and so in the same banks.  Or SLICE = 16: the loop outgrows
 *          the cache for instructions.
 */
#include "common/variant.h"
#include "async.h"

/* A block a tile */
template <bool VECTORS>
__global__ static void __launch_bounds__(THREADS, PER_PROCESSOR)
    matmul_async(struct product p, float zero)
{
    multiply_tile<A_FIRST>(p, place_of(p, blockIdx.x), 0, slices_of(p.k), zero, put<VECTORS>);
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const unsigned tiles = tiles_of(p->m, p->n);

    if (tiles == 0)
        return;

    const struct product product = product_of(p);

    if (p->n % 4 == 0)
        matmul_async<true><<<tiles, THREADS>>>(product, -0.0f);
    else
        matmul_async<false><<<tiles, THREADS>>>(product, -0.0f);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "asynchronous copies, and twice the tile in each thread's registers",
        .base = "cuda_tiled",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_wide,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_wide)
