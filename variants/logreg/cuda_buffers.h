/*
 * logreg: the host side of the CUDA variants whose method runs on the host.  Each evaluation sends n + 1 weights and fetches
 * n + 1 sums.  The file that includes this has add_up(), which launches its kernels.
 */
#ifndef RUNGS_LOGREG_CUDA_BUFFERS_H
#define RUNGS_LOGREG_CUDA_BUFFERS_H

#include "common/cuda.h"
#include "common/logreg.h"
#include "common/variant.h"
#include "solve.h" /* solve, finish_gradient, evaluations */

enum { MOST_PARTS = 4096, JOINERS = 128 };

static float *d_x, *d_w;         /* d_: on the device */
static uint8_t *d_y;
static double *d_parts, *d_sums; /* [MOST_PARTS][n + 1] of blocks; [n + 1] */
static float *h_w;               /* h_: page-locked memory of the host */
static double *h_sums;
static double *gradient;
static float *answer_w;          /* [n + 1] what the last run has found */
static void *memory;
static int processors;           /* of the device */

/* Launches what leaves the sums of r x and of r at d_w in d_sums. */
static void add_up(const struct logreg *p);

static inline void prepare_sums(size_t n)
{
    CUDA(cudaMalloc(&d_w, (n + 1) * sizeof *d_w));
    CUDA(cudaMalloc(&d_parts, MOST_PARTS * (n + 1) * sizeof *d_parts));
    CUDA(cudaMalloc(&d_sums, (n + 1) * sizeof *d_sums));
    CUDA(cudaMallocHost(&h_w, (n + 1) * sizeof *h_w));
    CUDA(cudaMallocHost(&h_sums, (n + 1) * sizeof *h_sums));
    CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    gradient = (double *)malloc((n + 1) * sizeof *gradient);
    answer_w = (float *)calloc(n + 1, sizeof *answer_w);
    memory = malloc(lbfgs_bytes(n + 1));
}

static inline void prepare(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    prepare_sums(p->n);
    CUDA(cudaMalloc(&d_x, (p->m * p->n + 1) * sizeof *d_x)); /* one more: n may be 0 */
    CUDA(cudaMalloc(&d_y, p->m));
}

static inline void upload(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    CUDA(cudaMemcpy(d_x, p->x, p->m * p->n * sizeof *d_x, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_y, p->y, p->m, cudaMemcpyHostToDevice));
}

static inline void evaluate(const struct logreg *p, const float *w, double *g)
{
    memcpy(h_w, w, (p->n + 1) * sizeof *w);
    CUDA(cudaMemcpyAsync(d_w, h_w, (p->n + 1) * sizeof *d_w, cudaMemcpyHostToDevice, 0));
    add_up(p);
    CUDA(cudaMemcpyAsync(h_sums, d_sums, (p->n + 1) * sizeof *d_sums, cudaMemcpyDeviceToHost, 0));
    CUDA(cudaStreamSynchronize(0));
    finish_gradient(p, w, h_sums, g);
}

static inline void run(const void *problem)
{
    solve((const struct logreg *)problem, evaluate, gradient, memory, answer_w);
}

static inline void download(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    memcpy(p->w, answer_w, (p->n + 1) * sizeof *p->w);
}

static inline void release_sums(void)
{
    CUDA(cudaFree(d_w));
    CUDA(cudaFree(d_parts));
    CUDA(cudaFree(d_sums));
    CUDA(cudaFreeHost(h_w));
    CUDA(cudaFreeHost(h_sums));
    free(gradient);
    free(answer_w);
    free(memory);
}

static inline void release(void)
{
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_y));
    release_sums();
}

/* 1/(1 + exp(-z)) - y.  For y = 1 that is -1/(1 + exp(z)): no digits cancel. */
__device__ static inline float residual(float z, unsigned y)
{
    const float share = 1.0f / (1.0f + expf(y != 0 ? z : -z));

    return y != 0 ? -share : share;
}

/* A block a column: adds what the blocks have found, always in the same order. */
__global__ static void join_parts(size_t width, unsigned parts, const double *of_block, double *sums)
{
    __shared__ double mine[JOINERS];
    double sum = 0.0;

    for (unsigned part = threadIdx.x; part < parts; part += JOINERS)
        sum += of_block[part * width + blockIdx.x];
    mine[threadIdx.x] = sum;
    for (unsigned half = JOINERS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            mine[threadIdx.x] += mine[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = mine[0];
}

#endif
