/*
 * The chain with cuFFT's transforms, for cuda_cufft and cuda_graph: real images to half of a spectrum and back, all pairs in
 * one plan.  Between the calls lies a kernel for R, and behind them two for the peak.
 */
#ifndef RUNGS_ALIGN_CUDA_LIBRARY_H
#define RUNGS_ALIGN_CUDA_LIBRARY_H

#include <cufft.h>
#include <limits.h>

#include "cuda_buffers.h" /* d_a, d_b, d_eps, d_answers, d_best */

enum { LIBRARY_THREADS = 256 };

static cufftHandle forward, backward;
static float2 *d_A, *d_B; /* [pairs][rows][cols/2 + 1] */
static float *d_g;        /* [pairs][rows][cols] times N, with a sign */
static bool planned;

__global__ static void combine(size_t count, size_t bins, const float *eps, const float2 *B, float2 *A)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= count)
        return;

    const float2 a = A[i], b = B[i];
    const float size = sqrtf(a.x * a.x + a.y * a.y) * sqrtf(b.x * b.x + b.y * b.y) + eps[i / bins];

    A[i] = make_float2((a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size);
}

/* Each warp raises its pair's word once; best is 0 before. */
__global__ static void find_peaks(size_t pairs, size_t pixels, const float *g, peak_word *best)
{
    for (size_t pair = blockIdx.y; pair < pairs; pair += gridDim.y) {
        peak_word mine = 0;

        for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += (size_t)gridDim.x * blockDim.x) {
            const peak_word here = word_of(fabsf(g[pair * pixels + i]) / (float)pixels, i);
            mine = here > mine ? here : mine;
        }
        mine = warp_highest(mine);
        if (threadIdx.x % 32 == 0)
            atomicMax(&best[pair], mine);
    }
}

__global__ static void finish(size_t pairs, size_t rows, size_t cols, const float *all, const peak_word *best, answers to)
{
    const size_t pair = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (pair >= pairs)
        return;

    const size_t peak = place_of(best[pair]), r = peak / cols, c = peak % cols;
    const float *g = all + pair * rows * cols;

    to.peak[pair] = (uint32_t)peak;
    to.height[pair] = g_of(best[pair]);
    to.shift[2 * pair] = shift_of(r, rows, fabsf(g[(r + rows - 1) % rows * cols + c]), fabsf(g[peak]),
                                  fabsf(g[(r + 1) % rows * cols + c]));
    to.shift[2 * pair + 1] = shift_of(c, cols, fabsf(g[r * cols + (c + cols - 1) % cols]), fabsf(g[peak]),
                                      fabsf(g[r * cols + (c + 1) % cols]));
}

static const char *refuse_library(const void *problem)
{
    const struct align *p = (const struct align *)problem;

    return p->rows * p->cols > INT_MAX || p->pairs > INT_MAX ? "cuFFT's plan counts in int" : NULL;
}

static void library_prepare(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    const size_t bins = p->rows * (p->cols / 2 + 1);
    int n[2] = {(int)p->rows, (int)p->cols};

    buffers_prepare(problem);
    CUDA(cudaMalloc(&d_A, p->pairs * bins * sizeof *d_A));
    CUDA(cudaMalloc(&d_B, p->pairs * bins * sizeof *d_B));
    CUDA(cudaMalloc(&d_g, p->pairs * p->rows * p->cols * sizeof *d_g));
    planned = p->pairs > 0; /* a plan for nothing is an error */
    if (!planned)
        return;
    CUFFT(cufftPlanMany(&forward, 2, n, NULL, 1, 0, NULL, 1, 0, CUFFT_R2C, (int)p->pairs));
    CUFFT(cufftPlanMany(&backward, 2, n, NULL, 1, 0, NULL, 1, 0, CUFFT_C2R, (int)p->pairs));
}

/* The whole chain, in a stream. */
static void library_run(const struct align *p, cudaStream_t stream)
{
    const size_t bins = p->rows * (p->cols / 2 + 1), pixels = p->rows * p->cols, threads = LIBRARY_THREADS;
    const size_t of_pair = (pixels + threads - 1) / threads;
    const dim3 search((unsigned)(of_pair < 256 ? of_pair : 256), (unsigned)(p->pairs < 32768 ? p->pairs : 32768));

    CUFFT(cufftSetStream(forward, stream));
    CUFFT(cufftSetStream(backward, stream));
    CUFFT(cufftExecR2C(forward, d_a, d_A));
    CUFFT(cufftExecR2C(forward, d_b, d_B));
    combine<<<(unsigned)((p->pairs * bins + threads - 1) / threads), threads, 0, stream>>>(p->pairs * bins, bins, d_eps, d_B,
                                                                                         d_A);
    CUDA(cudaGetLastError());
    CUFFT(cufftExecC2R(backward, d_A, d_g));
    CUDA(cudaMemsetAsync(d_best, 0, p->pairs * sizeof *d_best, stream));
    find_peaks<<<search, threads, 0, stream>>>(p->pairs, pixels, d_g, d_best);
    CUDA(cudaGetLastError());
    finish<<<(unsigned)((p->pairs + threads - 1) / threads), threads, 0, stream>>>(p->pairs, p->rows, p->cols, d_g, d_best,
                                                                                  d_answers);
    CUDA(cudaGetLastError());
}

static void library_release(void)
{
    if (planned) {
        CUFFT(cufftDestroy(forward));
        CUFFT(cufftDestroy(backward));
    }
    CUDA(cudaFree(d_A));
    CUDA(cudaFree(d_B));
    CUDA(cudaFree(d_g));
    buffers_release();
}

#endif
