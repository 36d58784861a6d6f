/*
 * matmul / cuda_tensor_split
 *
 * Idea     Float32's accuracy from tensor cores.  Each number is split into a float16 and a second
 *          float16 for what the first one misses.  Then A*B is high*high + high*low + low*high;
 *          low*low is too small to count.  Tensor cores truncate their sums instead of rounding
 *          them, so after every 64 products ordinary arithmetic takes the sum over.
 * Against  cuda_cublas, float32 multiply-adds.  And cuda_tensor_bf16: a third of the products.
 * Expect   A third of the rate of half-precision products, less the taking over: some four times
 *          the rate of float32 arithmetic.  The error is smaller than that of float32 arithmetic,
 *          because there are fewer roundings, each of a smaller sum.
 * Try      Take the sums over once in 64 slices.  What does that do to the error, and to the time?
 * Level    3
 * Read     split_product.h, cuda_buffers.h, hopper.h, ring.h, split.h
 */
/* nvcc: sm_90a */
#include "common/variant.h"
#include "split_product.h" /* split_refuse, split_prepare, split_multiply, split_release; prepare, upload, download, release */

static const char *refuse(const void *problem)
{
    return split_refuse((const struct matmul *)problem);
}

static void prepare_tensor(const void *problem)
{
    prepare(problem);
    split_prepare((const struct matmul *)problem);
}

static void run(const void *problem)
{
    split_multiply((const struct matmul *)problem);
}

static void release_tensor(void)
{
    split_release();
    release();
}

VARIANT(.idea = "tensor cores with float32's accuracy: each number split in two",
        .base = "cuda_tensor_bf16",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_TENSOR,
        .refuse = refuse,
        .prepare = prepare_tensor,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_tensor)
