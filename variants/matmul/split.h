/*
 * Float32 as two numbers of float16, for cuda_tensor_split: kernels that split A by rows and B by columns.
 *
 *     v * 2^s    =  1 . b b b b b b b b b b   b b b b b b b b b b b   b b      24 bits of float32
 *     high       =  1 . b b b b b b b b b b                                    rounded to 11 bits
 *     low        =                            b b b b b b b b b b b            the rest, rounded to 11 bits
 *
 * So high + low has 22 bits of v, or more.  The scale 2^s is chosen for each row of A and each column of B,
 * because float16 holds magnitudes from 2^-24 to just below 2^16 only.
 */
#ifndef RUNGS_MATMUL_SPLIT_H
#define RUNGS_MATMUL_SPLIT_H

#include <cuda_fp16.h>

enum { HIGH = 0, LOW = 1 }; /* the pieces, by number */

/*
 * A row of A, or a column of B, is multiplied by the power of two that puts its largest element between 2^14
 * and 2^15.  An element down to 2^-16 of the largest then keeps 22 bits in its two pieces, and no element
 * loses more than 2^-40 of the largest.
 */
enum {
    TOP = 14,       /* the exponent of the largest element, scaled */
    SMALLEST = -112 /* a largest element below 2^SMALLEST is scaled as if it were that */
};

/* Returns the exponent of the largest element, given its bits, but at least SMALLEST. */
__device__ static int exponent(unsigned largest)
{
    return max((int)(largest >> 23) - 127, SMALLEST);
}

__device__ static float power(int exponent)
{
    return __uint_as_float((unsigned)(exponent + 127) << 23);
}

__device__ static void split(float v, __half *high, __half *low)
{
    *high = __float2half_rn(v);
    *low = __float2half_rn(v - __half2float(*high));
}

enum { SPLIT_THREADS = 256, SPLIT_ROWS = 32 };

/* A block's work for row i of A: writes largest[i], then the two pieces, one whole matrix after the other. */
__device__ static void split_row(size_t i, size_t m, size_t k, size_t stride, const float *a,
                                 unsigned *largest, __half *pieces)
{
    __shared__ unsigned top;
    unsigned mine = 0;

    if (threadIdx.x == 0)
        top = 0;
    __syncthreads();
    for (size_t l = threadIdx.x; l < k; l += SPLIT_THREADS)
        mine = max(mine, __float_as_uint(fabsf(a[i * k + l])));
    mine = __reduce_max_sync(0xffffffff, mine);
    if (threadIdx.x % 32 == 0)
        atomicMax(&top, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        largest[i] = top;

    const float scale = power(TOP - exponent(top));
    for (size_t l = threadIdx.x; l < k; l += SPLIT_THREADS)
        split(a[i * k + l] * scale, &pieces[i * stride + l], &pieces[(m + i) * stride + l]);
}

/* A block's work for SPLIT_THREADS columns of B and SPLIT_ROWS of its rows: largest[j] becomes the maximum of column j,
   as bits. */
__device__ static void find_largest(size_t block, size_t k, size_t n, const float *b, unsigned *largest)
{
    const size_t across = (n + SPLIT_THREADS - 1) / SPLIT_THREADS;
    const size_t j = block % across * SPLIT_THREADS + threadIdx.x;
    const size_t l0 = block / across * SPLIT_ROWS;
    unsigned mine = 0;

    if (j >= n)
        return;
#pragma unroll 8
    for (size_t l = l0; l < min(l0 + SPLIT_ROWS, k); l++)
        mine = max(mine, __float_as_uint(fabsf(b[l * n + j])));
    atomicMax(&largest[j], mine);
}

/* Splits A, and finds the largest element of each column of B, which must be 0 before.  One launch for both, because a
   launch costs 1 to 2 us after another. */
__global__ static void split_rows(size_t m, size_t n, size_t k, size_t stride, const float *a,
                                  unsigned *a_largest, __half *pieces, const float *b,
                                  unsigned *b_largest)
{
    if (blockIdx.x < m)
        split_row(blockIdx.x, m, k, stride, a, a_largest, pieces);
    else
        find_largest(blockIdx.x - m, k, n, b, b_largest);
}

/* For the same columns and rows of B, writes the two pieces, one whole matrix after the other.  Clears `next`. */
__global__ static void split_columns(size_t k, size_t n, size_t stride, const float *b,
                                     const unsigned *largest, __half *pieces, unsigned *next)
{
    const size_t across = (n + SPLIT_THREADS - 1) / SPLIT_THREADS;
    const size_t j = blockIdx.x % across * SPLIT_THREADS + threadIdx.x;
    const size_t l0 = blockIdx.x / across * SPLIT_ROWS;

    if (j >= n)
        return;
    if (l0 == 0)
        next[j] = 0;

    const float scale = power(TOP - exponent(largest[j]));
#pragma unroll 8
    for (size_t l = l0; l < min(l0 + SPLIT_ROWS, k); l++)
        split(b[l * n + j] * scale, &pieces[l * stride + j], &pieces[(k + l) * stride + j]);
}

#endif
