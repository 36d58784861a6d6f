/* The host side of cuda_naive for the other variants, with a few numbers more between their kernels. */
#ifndef RUNGS_CG_CUDA_BUFFERS_H
#define RUNGS_CG_CUDA_BUFFERS_H

#include "common/cg.h"
#include "common/cuda.h"

static float *d_a, *d_b, *d_x;       /* d_: on the device */
static float *d_r, *d_p, *d_q;       /* the residual, the direction, A times the direction */
static double *d_parts;              /* [2][n + 1] sums of blocks: of p q, of r r */
static struct state *d_state;

/* What the steps of an iteration tell each other. */
struct state {
    double rr, next;     /* the square of r before this iteration, and behind it */
    double enough;       /* where it ends */
    int done;
    unsigned iterations; /* so far */
};

[[maybe_unused]] static void prepare_vectors(size_t n)
{
    CUDA(cudaMalloc(&d_b, n * sizeof(float)));
    CUDA(cudaMalloc(&d_x, n * sizeof(float)));
    CUDA(cudaMalloc(&d_r, n * sizeof(float)));
    CUDA(cudaMalloc(&d_p, n * sizeof(float)));
    CUDA(cudaMalloc(&d_q, n * sizeof(float)));
    CUDA(cudaMalloc(&d_parts, 2 * (n + 1) * sizeof(double)));
    CUDA(cudaMalloc(&d_state, sizeof(struct state)));
}

[[maybe_unused]] static void release_vectors(void)
{
    CUDA(cudaFree(d_b));
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_r));
    CUDA(cudaFree(d_p));
    CUDA(cudaFree(d_q));
    CUDA(cudaFree(d_parts));
    CUDA(cudaFree(d_state));
}

[[maybe_unused]] static void prepare(const void *problem)
{
    const size_t n = ((const struct cg *)problem)->n;

    CUDA(cudaMalloc(&d_a, n * n * sizeof(float)));
    prepare_vectors(n);
}

[[maybe_unused]] static void upload(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;

    CUDA(cudaMemcpy(d_a, s->a, s->n * s->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_b, s->b, s->n * sizeof(float), cudaMemcpyHostToDevice));
}

[[maybe_unused]] static void download(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;

    CUDA(cudaMemcpy(s->x, d_x, s->n * sizeof(float), cudaMemcpyDeviceToHost));
}

[[maybe_unused]] static void release(void)
{
    CUDA(cudaFree(d_a));
    release_vectors();
}

#endif
