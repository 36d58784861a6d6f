/*
 * map: each formula as a kernel per operation, with arrays in between, as NumPy's operators have it on a GPU.
 *
 *     trig      a = cos x, b = sin y, z = a + b              8 + 8 + 12 bytes per element
 *     reldiff   a = x - y, b = 2 a, a = x + y, z = b / a     12 + 8 + 12 + 12
 *     suppress  a = |x|, b = a > threshold, z = b ? x : 0    6 + 5 + 5
 */
#ifndef RUNGS_MAP_CUDA_STEPS_H
#define RUNGS_MAP_CUDA_STEPS_H

#include "cuda_buffers.h" /* d_x, d_y, d_z */

static const int threads = 256;

static void *d_a, *d_b; /* what is between two operations; at most 4 bytes per element */
static int *d_threshold; /* on the device, because a graph keeps the arguments of its kernels */

struct cosine_of { __device__ float operator()(float x) const { return cosf(x); } };
struct sine_of_y { __device__ float operator()(float x) const { return sinf(x); } };
struct doubled { __device__ float operator()(float x) const { return 2.0f * x; } };
struct magnitude { __device__ int operator()(int16_t x) const { return abs((int)x); } };
struct above {
    const int *threshold;
    __device__ uint8_t operator()(int x) const { return x > *threshold; }
};
struct sum { __device__ float operator()(float x, float y) const { return x + y; } };
struct difference { __device__ float operator()(float x, float y) const { return x - y; } };
struct quotient { __device__ float operator()(float x, float y) const { return x / y; } };
struct chosen { __device__ int16_t operator()(uint8_t keep, int16_t x) const { return keep ? x : (int16_t)0; } };

template <class Op, class A, class Z> __global__ static void map_one(size_t n, Op op, const A *a, Z *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = op(a[i]);
}

template <class Op, class A, class B, class Z> __global__ static void map_two(size_t n, Op op, const A *a, const B *b, Z *z)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = op(a[i], b[i]);
}

/* Gives the steps to a stream, or to the graph that it records. */
static void give_steps(const struct map *p, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((p->n + threads - 1) / threads);
    const float *x = (const float *)d_x, *y = (const float *)d_y;
    float *a = (float *)d_a, *b = (float *)d_b, *z = (float *)d_z;
    const int16_t *x16 = (const int16_t *)d_x;

    if (blocks == 0)
        return;
    if (p->f == MAP_TRIG) {
        map_one<<<blocks, threads, 0, stream>>>(p->n, cosine_of(), x, a);
        map_one<<<blocks, threads, 0, stream>>>(p->n, sine_of_y(), y, b);
        map_two<<<blocks, threads, 0, stream>>>(p->n, sum(), a, b, z);
    } else if (p->f == MAP_RELDIFF) {
        map_two<<<blocks, threads, 0, stream>>>(p->n, difference(), x, y, a);
        map_one<<<blocks, threads, 0, stream>>>(p->n, doubled(), a, b);
        map_two<<<blocks, threads, 0, stream>>>(p->n, sum(), x, y, a);
        map_two<<<blocks, threads, 0, stream>>>(p->n, quotient(), b, a, z);
    } else {
        map_one<<<blocks, threads, 0, stream>>>(p->n, magnitude(), x16, (int *)d_a);
        map_one<<<blocks, threads, 0, stream>>>(p->n, above{d_threshold}, (int *)d_a, (uint8_t *)d_b);
        map_two<<<blocks, threads, 0, stream>>>(p->n, chosen(), (uint8_t *)d_b, x16, (int16_t *)d_z);
    }
    CUDA(cudaGetLastError());
}

static void prepare_steps(const void *problem)
{
    const struct map *p = (const struct map *)problem;

    prepare(problem);
    CUDA(cudaMalloc(&d_a, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_b, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_threshold, sizeof *d_threshold));
}

static void upload_steps(const void *problem)
{
    const struct map *p = (const struct map *)problem;

    upload(problem);
    CUDA(cudaMemcpy(d_threshold, &p->threshold, sizeof p->threshold, cudaMemcpyHostToDevice));
}

static void release_steps(void)
{
    release();
    CUDA(cudaFree(d_a));
    CUDA(cudaFree(d_b));
    CUDA(cudaFree(d_threshold));
}

#endif
