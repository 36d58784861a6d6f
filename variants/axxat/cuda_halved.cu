/*
 * axxat / cuda_halved
 *
 * Idea     Structure: with a symmetric X the second term is the transpose of the first, so Z = A X is the only product.  A
 *          tile of Y is a tile of Z plus the transpose of the one opposite.  Of two opposite tiles the block that comes
 *          second adds them, for both.  No block waits.
 * Against  cuda_concat, which multiplies twice as much.
 * Expect   1.9 times as fast: Z's tiles are read again and written again, 8 n^2 bytes each way.
 * Try      Blocks that wait for the opposite tile instead.  Why may that never end?
 * Level    3
 * Read     mirror.h, ../matmul/async.h, ../matmul/async_host.h, ../matmul/cuda_buffers.h
 */
#include "common/axxat.h"
#include "common/variant.h"
#include "../matmul/async.h"      /* multiply_tile, place_of, put */
#include "../matmul/async_host.h" /* product_of; prepare_wide, release_wide; d_a, d_b, d_c */
#include "mirror.h"          /* add_transposes, SIDE */

/* Returns whether this block is the second of its pair, and sees what the first has written.  A tile of the diagonal is
   alone.  The counter of a pair is 0 before and after. */
__device__ static bool comes_second(struct place at, unsigned *arrived)
{
    __shared__ bool second;
    const unsigned i = at.i / square::high, j = at.j / square::wide, low = min(i, j), high = max(i, j);

    __threadfence(); /* this thread's part of the tile is there for all, */
    __syncthreads(); /* and so are all threads' */
    if (threadIdx.x == 0)
        second = i == j || atomicInc(&arrived[high * (high + 1) / 2 + low], 1) == 1;
    __syncthreads();
    if (second)
        __threadfence();
    return second;
}

template <bool VECTORS>
__global__ static void __launch_bounds__(square::threads, square::per_processor)
    axxat_halved(struct product p, unsigned *arrived, float zero)
{
    const struct place at = place_of<square>(p, blockIdx.x);

    multiply_tile<square, A_FIRST, sizeof(float4)>(
        p, at, 0, slices_of(p.k), zero, [](unsigned, float *row, size_t at, size_t length, float4 four) {
            put<VECTORS>(row, at, length, four);
        });
    if (!comes_second(at, arrived))
        return;
    for (unsigned i = 0; i < square::high; i += SIDE)
        for (unsigned j = at.i == at.j ? i : 0; j < square::wide; j += SIDE)
            add_transposes(p.c, p.n, at.i + i, at.j + j, threadIdx.x % SIDE, threadIdx.x / SIDE,
                           square::threads / SIDE);
}

static unsigned *d_arrived; /* [pair of tiles] */

/* Z = A X as matmul's host side takes it; Y takes Z's place. */
static struct matmul product_z(const void *problem)
{
    const struct axxat *p = (const struct axxat *)problem;
    struct matmul z = {p->n, p->n, p->n, p->a, p->x, p->y};

    return z;
}

static const char *refuse(const void *problem)
{
    return ((const struct axxat *)problem)->symmetric
               ? NULL
               : "X is not symmetric, so the terms are not each other's transpose";
}

static void prepare_halved(const void *problem)
{
    const struct matmul z = product_z(problem);
    const size_t across = (z.n + square::wide - 1) / square::wide, bytes = across * (across + 1) / 2 * sizeof(unsigned);

    prepare_wide(&z);
    CUDA(cudaMalloc(&d_arrived, bytes));
    CUDA(cudaMemset(d_arrived, 0, bytes));
}

static void upload_halved(const void *problem)
{
    const struct matmul z = product_z(problem);

    upload(&z);
}

static void run(const void *problem)
{
    const struct matmul z = product_z(problem);
    const unsigned tiles = tiles_in<square>(z.m, z.n);

    if (tiles == 0)
        return;

    const struct product product = product_of(&z);

    if (z.n % 4 == 0)
        axxat_halved<true><<<tiles, square::threads>>>(product, d_arrived, -0.0f);
    else
        axxat_halved<false><<<tiles, square::threads>>>(product, d_arrived, -0.0f);
    CUDA(cudaGetLastError());
}

static void download_halved(const void *problem)
{
    const struct matmul z = product_z(problem);

    download(&z);
}

static void release_halved(void)
{
    CUDA(cudaFree(d_arrived));
    release_wide();
}

VARIANT(.idea = "a symmetric X: one product, and the second of two opposite tiles adds both",
        .base = "cuda_concat",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_halved,
        .upload = upload_halved,
        .run = run,
        .download = download_halved,
        .release = release_halved)
