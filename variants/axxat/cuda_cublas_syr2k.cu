/*
 * axxat / cuda_cublas_syr2k
 *
 * Idea     With a symmetric X, Y = A X^T + X A^T, which BLAS knows as a symmetric update of rank 2k.  cublasSsyr2k computes
 *          one triangle, and a kernel mirrors it.
 * Against  cuda_cublas, two full products.
 * Expect   Half the arithmetic, so up to twice as fast.  On an H200 the call took 3.28 ms at n = 4096, and two products
 *          5.39 (2026-11-23): 1.64 times.
 * Try      CUBLAS_FILL_MODE_UPPER, and leave the kernel as it is.
 * Level    2
 * Read     cublas.h, cuda_buffers.h, mirror.h
 */
#include "common/variant.h"
#include "cublas.h" /* refuse_size, prepare_with_handle, release_with_handle; cublas */
#include "mirror.h" /* load_block, side_block */

/* Copies what lies above the diagonal to below it; a block of threads per pair of blocks, the others end at once. */
__global__ static void axxat_mirror(size_t n, float *y)
{
    __shared__ side_block above;
    const size_t i0 = (size_t)blockIdx.y * SIDE, j0 = (size_t)blockIdx.x * SIDE;
    const unsigned x = threadIdx.x;

    if (i0 > j0)
        return;
    load_block(above, y, n, i0, j0, x, threadIdx.y, SIDE_STEP);
    __syncthreads();
    for (unsigned r = threadIdx.y; r < SIDE; r += SIDE_STEP)
        if (j0 + r < n && i0 + x < j0 + r)
            y[(j0 + r) * n + i0 + x] = above[x][r];
}

static const char *refuse(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;

    return p->symmetric ? refuse_size(problem) : "X is not symmetric, and A X^T is not A X";
}

static void run(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;
    const unsigned across = (unsigned)((p->n + SIDE - 1) / SIDE);
    const float one = 1, zero = 0;
    const int n = (int)p->n;

    if (n == 0)
        return;
    /* Its lower triangle, by columns, is the upper one by rows. */
    CUBLAS(cublasSsyr2k(cublas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, n, n, &one, d_a, n, d_x, n, &zero, d_y, n));
    axxat_mirror<<<dim3(across, across), dim3(SIDE, SIDE_STEP)>>>(p->n, d_y);
    CUDA(cudaGetLastError());
}

VARIANT(.idea = "a symmetric X: the library's ssyr2k, a triangle, then mirrored",
        .base = "cuda_cublas",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_with_handle,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_with_handle)
