/*
 * compact: the host side of the CUDA variants.
 *
 * On the device x is followed by NaN up to a whole number of tiles of any variant.  NaN is dropped, so kernels need no
 * code for an incomplete last tile.
 */
#ifndef RUNGS_COMPACT_CUDA_BUFFERS_H
#define RUNGS_COMPACT_CUDA_BUFFERS_H

#include "common/compact.h"
#include "common/cuda.h"
#include "common/variant.h"

enum { LARGEST_TILE = 1 << 14 }; /* elements */

static float *d_x, *d_kept; /* d_: on the device */
static uint64_t *d_count;

/* Returns how many tiles hold n elements: at least one, which then writes a count of 0. */
static inline size_t tiles_of(size_t n, size_t tile)
{
    return n > tile ? (n + tile - 1) / tile : 1;
}

static inline void prepare(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;
    const size_t whole = tiles_of(p->n, LARGEST_TILE) * LARGEST_TILE;

    CUDA(cudaMalloc(&d_x, whole * sizeof *d_x));
    CUDA(cudaMalloc(&d_kept, (p->n + 1) * sizeof *d_kept)); /* one more: an allocation of 0 bytes has no address */
    CUDA(cudaMalloc(&d_count, sizeof *d_count));
    CUDA(cudaMemset(d_x + p->n, 0xff, (whole - p->n) * sizeof *d_x)); /* NaN */
}

static inline void upload(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    CUDA(cudaMemcpy(d_x, p->x, p->n * sizeof *d_x, cudaMemcpyHostToDevice));
}

/* Fetches the count, and then as many elements. */
static inline void download(const void *problem)
{
    const struct compact *p = (const struct compact *)problem;

    CUDA(cudaMemcpy(p->count, d_count, sizeof *d_count, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(p->kept, d_kept, *p->count * sizeof *d_kept, cudaMemcpyDeviceToHost));
}

static inline void release(void)
{
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_kept));
    CUDA(cudaFree(d_count));
}

/* A NaN is not equal to itself. */
__device__ static inline bool keeps(float x)
{
    return x == x;
}

#endif
