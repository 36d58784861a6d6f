/*
 * The formula as a chain of kernels with arrays between them.  A variant that includes this header has a transform of its
 * own, and gives it to chain_run:
 *
 *     widen        a, then b, as complex numbers
 *     transform    all images of one array, by way of another; returns the one in which the result is
 *     combine      conj R, whose forward transform is the conjugate of the inverse transform of R
 *     find_peaks   the highest g of each pair
 *     finish       the parabolas through it
 */
#ifndef RUNGS_ALIGN_CUDA_CHAIN_H
#define RUNGS_ALIGN_CUDA_CHAIN_H

#include "../fft/cuda_pass.h" /* root */
#include "cuda_buffers.h"     /* d_a, d_b, d_eps, d_answers, d_best; upload, download */

enum { CHAIN_THREADS = 256 };

static float2 *d_arrays[3];           /* [pairs][rows][cols] */
static float2 *d_of_rows, *d_of_cols; /* roots of unity */

__global__ static void widen(size_t count, const float *x, float2 *X)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        X[i] = make_float2(x[i], 0);
}

__global__ static void combine(size_t count, size_t pixels, const float *eps, const float2 *A, const float2 *B, float2 *R)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < count)
        R[i] = cross_power(A[i], B[i], eps[i / pixels]);
}

__global__ static void clear(size_t pairs, peak_word *best)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < pairs)
        best[i] = 0;
}

__device__ static inline float g_at(const float2 *x, size_t pixels, size_t i)
{
    return sqrtf(x[i].x * x[i].x + x[i].y * x[i].y) / (float)pixels;
}

/* Each warp raises its pair's word once.  The blocks of a pair are blockIdx.y's own. */
__global__ static void find_peaks(size_t pairs, size_t pixels, const float2 *x, peak_word *best)
{
    for (size_t pair = blockIdx.y; pair < pairs; pair += gridDim.y) {
        peak_word mine = 0;

        for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += (size_t)gridDim.x * blockDim.x) {
            const peak_word here = word_of(g_at(x + pair * pixels, pixels, i), i);
            mine = here > mine ? here : mine;
        }
        mine = warp_highest(mine);
        if (threadIdx.x % 32 == 0)
            atomicMax(&best[pair], mine);
    }
}

__global__ static void finish(size_t pairs, size_t rows, size_t cols, const float2 *x, const peak_word *best, answers to)
{
    const size_t pair = (size_t)blockIdx.x * blockDim.x + threadIdx.x, pixels = rows * cols;

    if (pair >= pairs)
        return;

    const size_t peak = place_of(best[pair]), r = peak / cols, c = peak % cols;
    const float height = g_of(best[pair]);

    x += pair * pixels;
    to.peak[pair] = (uint32_t)peak;
    to.height[pair] = height;
    to.shift[2 * pair] = shift_of(r, rows, g_at(x, pixels, (r + rows - 1) % rows * cols + c), height,
                                  g_at(x, pixels, (r + 1) % rows * cols + c));
    to.shift[2 * pair + 1] = shift_of(c, cols, g_at(x, pixels, r * cols + (c + cols - 1) % cols), height,
                                      g_at(x, pixels, r * cols + (c + 1) % cols));
}

static unsigned blocks_for(size_t count)
{
    return (unsigned)((count + CHAIN_THREADS - 1) / CHAIN_THREADS);
}

static float2 *roots_on_device(size_t n)
{
    float2 *w = (float2 *)malloc(n * sizeof *w), *d_w;

    for (size_t k = 0; k < n; k++)
        w[k] = root(k, n);
    CUDA(cudaMalloc(&d_w, n * sizeof *d_w));
    CUDA(cudaMemcpy(d_w, w, n * sizeof *d_w, cudaMemcpyHostToDevice));
    free(w);
    return d_w;
}

static void prepare(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    const size_t count = p->pairs * p->rows * p->cols;

    buffers_prepare(problem);
    for (float2 *&array : d_arrays)
        CUDA(cudaMalloc(&array, count * sizeof *array));
    d_of_rows = roots_on_device(p->rows);
    d_of_cols = roots_on_device(p->cols);
}

template <class Transform>
static void chain_run(const struct align *p, Transform transform)
{
    const size_t pixels = p->rows * p->cols, count = p->pairs * pixels, threads = CHAIN_THREADS;
    const unsigned blocks = blocks_for(count), of_pair = blocks_for(pixels) < 256 ? blocks_for(pixels) : 256;

    if (count == 0)
        return; /* a launch of no blocks is an error */
    widen<<<blocks, threads>>>(count, d_a, d_arrays[0]);
    CUDA(cudaGetLastError());
    float2 *A = transform(d_arrays[0], d_arrays[1]);
    float2 *b = A == d_arrays[0] ? d_arrays[1] : d_arrays[0];

    widen<<<blocks, threads>>>(count, d_b, b);
    CUDA(cudaGetLastError());
    float2 *B = transform(b, d_arrays[2]);

    combine<<<blocks, threads>>>(count, pixels, d_eps, A, B, B);
    CUDA(cudaGetLastError());
    float2 *x = transform(B, A);

    clear<<<blocks_for(p->pairs), threads>>>(p->pairs, d_best);
    CUDA(cudaGetLastError());
    find_peaks<<<dim3(of_pair, (unsigned)(p->pairs < 32768 ? p->pairs : 32768)), threads>>>(p->pairs, pixels, x, d_best);
    CUDA(cudaGetLastError());
    finish<<<blocks_for(p->pairs), threads>>>(p->pairs, p->rows, p->cols, x, d_best, d_answers);
    CUDA(cudaGetLastError());
}

static void release(void)
{
    buffers_release();
    for (float2 *array : d_arrays)
        CUDA(cudaFree(array));
    CUDA(cudaFree(d_of_rows));
    CUDA(cudaFree(d_of_cols));
}

#endif
