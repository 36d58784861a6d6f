/*
 * The host side of the CUDA variants: inputs and answers on the device, copies there and back.  On the device, the peak of
 * a pair is a word of 64 bits that all threads raise by atomicMax: the bits of g, which as integers have the order of g,
 * and below them the place, inverted, so that of equal values the first one wins.
 * Also the cross-power spectrum of one bin.
 */
#ifndef RUNGS_ALIGN_CUDA_BUFFERS_H
#define RUNGS_ALIGN_CUDA_BUFFERS_H

#include "common/align.h"
#include "common/cuda.h"
#include "peak.h" /* shift_of */

typedef unsigned long long peak_word;

/* The answers of some pairs. */
struct answers {
    uint32_t *peak;
    float *height, *shift;
};

static float *d_a, *d_b, *d_eps; /* [pairs][rows][cols], [pairs]; d_: on the device */
static answers d_answers;
static peak_word *d_best; /* [pairs] */

static void answers_alloc(answers *to, size_t pairs)
{
    CUDA(cudaMalloc(&to->peak, pairs * sizeof *to->peak));
    CUDA(cudaMalloc(&to->height, pairs * sizeof *to->height));
    CUDA(cudaMalloc(&to->shift, 2 * pairs * sizeof *to->shift));
}

static void answers_free(answers *from)
{
    CUDA(cudaFree(from->peak));
    CUDA(cudaFree(from->height));
    CUDA(cudaFree(from->shift));
}

static inline void buffers_prepare(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    const size_t pixels = p->pairs * p->rows * p->cols;

    CUDA(cudaMalloc(&d_a, pixels * sizeof *d_a));
    CUDA(cudaMalloc(&d_b, pixels * sizeof *d_b));
    CUDA(cudaMalloc(&d_eps, p->pairs * sizeof *d_eps));
    CUDA(cudaMalloc(&d_best, p->pairs * sizeof *d_best));
    answers_alloc(&d_answers, p->pairs);
}

static inline void upload(const void *problem)
{
    const struct align *p = (const struct align *)problem;
    const size_t pixels = p->pairs * p->rows * p->cols;

    CUDA(cudaMemcpy(d_a, p->a, pixels * sizeof *d_a, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_b, p->b, pixels * sizeof *d_b, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_eps, p->eps, p->pairs * sizeof *d_eps, cudaMemcpyHostToDevice));
}

static inline void download(const void *problem)
{
    const struct align *p = (const struct align *)problem;

    CUDA(cudaMemcpy(p->peak, d_answers.peak, p->pairs * sizeof *p->peak, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(p->height, d_answers.height, p->pairs * sizeof *p->height, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(p->shift, d_answers.shift, 2 * p->pairs * sizeof *p->shift, cudaMemcpyDeviceToHost));
}

static inline void buffers_release(void)
{
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_b));
    CUDA(cudaFree(d_eps));
    CUDA(cudaFree(d_best));
    answers_free(&d_answers);
}

/* Returns conj R of a bin: its forward transform is the conjugate of the inverse transform of R. */
__device__ static inline float2 cross_power(float2 a, float2 b, float eps)
{
    const float scale = 1.0f / (sqrtf(a.x * a.x + a.y * a.y) * sqrtf(b.x * b.x + b.y * b.y) + eps);

    return make_float2((a.x * b.x + a.y * b.y) * scale, (a.x * b.y - a.y * b.x) * scale);
}

__device__ static inline peak_word word_of(float g, size_t place)
{
    return (peak_word)__float_as_uint(g) << 32 | (uint32_t)~(uint32_t)place;
}

__device__ static inline uint32_t place_of(peak_word word)
{
    return ~(uint32_t)word;
}

__device__ static inline float g_of(peak_word word)
{
    return __uint_as_float((unsigned)(word >> 32));
}

/* Returns the highest word of a warp, in lane 0. */
__device__ static inline peak_word warp_highest(peak_word mine)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        const peak_word other = __shfl_down_sync(0xffffffff, mine, distance);

        mine = other > mine ? other : mine;
    }
    return mine;
}

#endif
