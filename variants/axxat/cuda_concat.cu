/*
 * axxat / cuda_concat
 *
 * Idea     Two products that are added are one product of depth 2n: (A, X) times (X over A^T), with the tiles of
 *          registers of matmul's cuda_any_shape.  A kernel before it writes X and A^T below each other.
 * Against  cuda_shared: both sums from shared memory, one element at a time.
 * Expect   The rate of cuda_cublas.  Y is written once, where two products write it twice and read it.  Laying out moves
 *          16 n^2 bytes: 62 us at n = 4096, 1 % of the time.
 * Try      Two products of depth n, and `put` that adds: what does the second reading of Y cost?
 * Level    3
 * Read     layout.h, ../matmul/async.h, ../matmul/async_host.h, ../matmul/cuda_buffers.h, ../matmul/cuda_plan.h, ../matmul/cuda_thin.h,
 *          ../matmul/cuda_tiles.h
 */
#include "common/variant.h"
#include "../matmul/cuda_plan.h" /* prepare_wide, release_wide, count_processors, plan_parts, tile, plan; d_a, d_b, d_c */
#include "layout.h"              /* double_depth, upload_side_by_side, lay_out */

static void prepare_concat(const void *problem)
{
    const struct matmul product = double_depth((const struct axxat *)problem);
    size_t floats = 0;

    prepare_wide(&product);
    count_processors();
    if (product.n > 0)
        floats = plan_parts(&product);
    CUDA(cudaMalloc(&d_parts, floats * sizeof(float)));
}

static void upload_concat(const void *problem)
{
    upload_side_by_side((const struct axxat *)problem, d_a);
}

static void run(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;
    const struct matmul product = double_depth(p);

    if (p->n == 0)
        return;
    lay_out(p->n, d_a, d_b);
    tile->run(&product, &plan);
}

static void download_concat(const void *problem)
{
    const struct matmul product = double_depth((const struct axxat *)problem);

    download(&product);
}

static void release_concat(void)
{
    CUDA(cudaFree(d_parts));
    release_wide();
}

VARIANT(.idea = "one product of depth 2n, tiles of registers",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_concat,
        .upload = upload_concat,
        .run = run,
        .download = download_concat,
        .release = release_concat)
