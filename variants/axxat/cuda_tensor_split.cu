/*
 * axxat / cuda_tensor_split
 *
 * Idea     Float32's accuracy from tensor cores, by matmul's cuda_tensor_split: each number becomes two float16, and a product
 *          three products of these.  One product of depth 2n; or, where X is symmetric, of depth n, and a kernel that adds
 *          the transpose in place.
 * Against  cuda_concat, float32 multiply-adds.
 * Expect   4.4 times as fast, as matmul's is: 1.25 ms at n = 4096, and 0.65 where X is symmetric.
 * Try      n = 512: splitting, laying out and adding are then as long as the product.
 * Level    3
 * Read     layout.h, mirror.h, ../matmul/cuda_buffers.h, ../matmul/hopper.h, ../matmul/ring.h, ../matmul/split.h,
 *          ../matmul/split_product.h
 */
/* nvcc: sm_90a */
#include "common/variant.h"
#include "../matmul/split_product.h" /* split_refuse, split_prepare, split_multiply, split_release; d_a, d_b, d_c */
#include "layout.h"                  /* double_depth, upload_side_by_side, lay_out */
#include "mirror.h"                  /* add_transposes */

/* A block of threads per pair of blocks; the others end at once. */
__global__ static void axxat_add_transposes(size_t n, float *y)
{
    if (blockIdx.y <= blockIdx.x)
        add_transposes(y, n, (size_t)blockIdx.y * SIDE, (size_t)blockIdx.x * SIDE, threadIdx.x, threadIdx.y, SIDE_STEP);
}

static struct matmul product_of(const struct axxat *p)
{
    struct matmul product = double_depth(p);

    if (p->symmetric)
        product.k = p->n;
    return product;
}

static const char *refuse(const void *problem)
{
    const struct matmul product = product_of((const struct axxat *)problem);

    return split_refuse(&product);
}

static void prepare_tensor(const void *problem)
{
    const struct matmul product = product_of((const struct axxat *)problem);

    prepare(&product);
    split_prepare(&product);
}

static void upload_tensor(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;
    const struct matmul product = product_of(p);

    if (p->symmetric)
        upload(&product);
    else
        upload_side_by_side(p, d_a);
}

static void run(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;
    const struct matmul product = product_of(p);
    const unsigned across = (unsigned)((p->n + SIDE - 1) / SIDE);

    if (p->n == 0)
        return;
    if (!p->symmetric)
        lay_out(p->n, d_a, d_b);
    split_multiply(&product);
    if (p->symmetric)
        axxat_add_transposes<<<dim3(across, across), dim3(SIDE, SIDE_STEP)>>>(p->n, d_c);
    CUDA(cudaGetLastError());
}

static void download_tensor(const void *problem)
{
    const struct matmul product = product_of((const struct axxat *)problem);

    download(&product);
}

static void release_tensor(void)
{
    split_release();
    release();
}

VARIANT(.idea = "tensor cores with float32's accuracy: each number split in two",
        .base = "cuda_concat",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_TENSOR,
        .refuse = refuse,
        .prepare = prepare_tensor,
        .upload = upload_tensor,
        .run = run,
        .download = download_tensor,
        .release = release_tensor)
