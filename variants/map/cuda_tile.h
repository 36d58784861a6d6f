/* map: what one block of cuda_vector does, for variants that differ from it in how the data reach the kernel. */
#ifndef RUNGS_MAP_CUDA_TILE_H
#define RUNGS_MAP_CUDA_TILE_H

#include "cuda_functions.h"

enum {
    TILE_THREADS = 256,
    TILE_LOADS = 2, /* accesses of 16 bytes to each array that a thread has in flight */
    TILE_BYTES = TILE_THREADS * TILE_LOADS * 16
};

template <class F> static unsigned tile_blocks(F, size_t n)
{
    const size_t tile = TILE_BYTES / sizeof(typename F::element);

    return (unsigned)((n + tile - 1) / tile);
}

/* Addresses are multiples of 16 bytes. */
template <class F> __device__ static void map_tile(size_t n, F f, const void *from_x, const void *from_y, void *to_z)
{
    typedef typename F::element T;
    typedef typename F::wide W;
    const size_t tile = TILE_BYTES / sizeof(T), first = (size_t)blockIdx.x * tile;
    const T *x = (const T *)from_x, *y = (const T *)from_y;
    T *z = (T *)to_z;

    if (n - first < tile) { /* the last block, a partial tile */
        for (size_t i = first + threadIdx.x; i < n; i += TILE_THREADS)
            z[i] = f(x[i], second(f, y, i));
        return;
    }
    const W *wide_x = (const W *)(x + first), *wide_y = F::ARGUMENTS == 2 ? (const W *)(y + first) : wide_x;
    W *wide_z = (W *)(z + first), xs[TILE_LOADS], ys[TILE_LOADS]; /* in registers, once the loops are unrolled */

    /* Neighbouring threads take neighbouring 16 bytes. */
#pragma unroll
    for (int i = 0; i < TILE_LOADS; i++) {
        xs[i] = wide_x[i * TILE_THREADS + threadIdx.x];
        ys[i] = F::ARGUMENTS == 2 ? wide_y[i * TILE_THREADS + threadIdx.x] : xs[i];
    }
#pragma unroll
    for (int i = 0; i < TILE_LOADS; i++)
        wide_z[i * TILE_THREADS + threadIdx.x] = apply(f, xs[i], ys[i]);
}

#endif
