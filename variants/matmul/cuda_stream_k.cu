#include "common/variant.h"
#include "async.h"

enum { PRICE = 40 };

__device__ static void add(float *row, size_t at, size_t length, float4 v)
{
    if (at < length)
        atomicAdd(&row[at], v.x);
    if (at + 1 < length)
        atomicAdd(&row[at + 1], v.y);
    if (at + 2 < length)
        atomicAdd(&row[at + 2], v.z);
    if (at + 3 < length)
        atomicAdd(&row[at + 3], v.w);
}

/* Tiles before `whole` are a block's each.  Of the slices of the others, each block has `share`. */
template <bool VECTORS>
__global__ static void __launch_bounds__(THREADS, PER_PROCESSOR)
    matmul_stream_k(struct product p, unsigned whole, unsigned share, float zero)
{
    __shared__ struct slices ring[STAGES];
    const unsigned slices = slices_of(p.k);
    unsigned tile = blockIdx.x, first = 0, left = slices;

    if (blockIdx.x >= whole) {
        const size_t slice = (size_t)(blockIdx.x - whole) * share;
        const size_t all = (size_t)(tiles_of(p.m, p.n) - whole) * slices;

        tile = whole + slice / slices;
        first = slice % slices;
        left = min((size_t)share, all - slice);
    }
#pragma unroll 1
    do {
        const unsigned count = min(slices - first, left);
        const struct place at = place_of(p, tile);
        float sum[ROWS][COLUMNS] = {};

        add_slices<B_FIRST>(sum, ring, p, at, first, count);
        give_all(sum, p, at, zero, [=](float *row, size_t j, size_t length, float4 four) {
            if (count == slices)
                put<VECTORS>(row, j, length, four);
            else
                add(row, j, length, four);
        });
        tile++;
        first = 0;
        left -= count;
        __syncthreads(); /* all have done with the ring */
    } while (left > 0);
}

/* Tiles that are summed up by several blocks; a block each */
__global__ static void matmul_clear(struct product p, unsigned whole)
{
    const struct place at = place_of(p, whole + blockIdx.x);

    for (unsigned q = threadIdx.x; q < TILE * TILE; q += blockDim.x)
        if (at.i + q / TILE < p.m && at.j + q % TILE < p.n)
            p.c[(at.i + q / TILE) * p.n + at.j + q % TILE] = 0;
}

static void run(const void *problem)
{
    const struct matmul *p = (const struct matmul *)problem;
    const unsigned tiles = tiles_of(p->m, p->n), slices = slices_of(p->k);

    if (tiles == 0)
        return;

    const unsigned blocks = 8;
    unsigned rest = tiles % blocks;

    if ((size_t)(blocks - rest) * slices <= (size_t)PRICE * blocks)
        rest = 0;

    const unsigned whole = tiles - rest;
    const unsigned share = (unsigned)(((size_t)rest * slices + blocks - 1) / blocks);
    const unsigned grid = whole + (rest == 0 ? 0 : (unsigned)(((size_t)rest * slices + share - 1) / share));
    const struct product product = product_of(p);

    if (rest > 0)
        matmul_clear<<<rest, 256>>>(product, whole);
    if (p->n % 4 == 0)
        matmul_stream_k<true><<<grid, THREADS>>>(product, whole, share, -0.0f);
    else
        matmul_stream_k<false><<<grid, THREADS>>>(product, whole, share, -0.0f);
    CUDA(cudaGetLastError());
}
