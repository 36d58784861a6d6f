/* logreg: the host side of a method that stays on the device: buffers, copies, and what it has found. */
#ifndef RUNGS_LOGREG_CUDA_LOOP_H
#define RUNGS_LOGREG_CUDA_LOOP_H

#include "cuda_rows.h" /* launch_rows, blocks_for */
#include "cuda_step.h" /* method */

static struct method *d_method, *h_method;
static void *d_vectors; /* lbfgs_bytes(n + 1): the point to evaluate, the best point, then vectors of float64 */

static inline unsigned loop_blocks(const struct logreg *p)
{
    return blocks_for(p->m, processors, 2); /* one block joins what they find */
}

static inline void prepare_loop(const struct logreg *p)
{
    CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA(cudaMalloc(&d_x, (p->m * p->n + 1) * sizeof *d_x)); /* one more: n may be 0 */
    CUDA(cudaMalloc(&d_y, p->m));
    CUDA(cudaMalloc(&d_parts, loop_blocks(p) * (p->n + 1) * sizeof *d_parts));
    CUDA(cudaMalloc(&d_vectors, lbfgs_bytes(p->n + 1)));
    CUDA(cudaMalloc(&d_method, sizeof *d_method));
    CUDA(cudaMallocHost(&h_method, sizeof *h_method));
    memset(h_method, 0, sizeof *h_method);
}

static inline void upload_loop(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    upload(problem);
    h_method->lambda = p->lambda;
    h_method->tau = p->tau;
    CUDA(cudaMemcpy(d_method, h_method, sizeof *d_method, cudaMemcpyHostToDevice));
}

static inline void download_loop(const void *problem)
{
    const struct logreg *p = (const struct logreg *)problem;

    CUDA(cudaMemcpy(h_method, d_method, sizeof *h_method, cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(p->w, (const float *)d_vectors + p->n + 1, (p->n + 1) * sizeof *p->w, cudaMemcpyDeviceToHost));
    traced = 0;
    for (long k = 0; k < h_method->l.evaluations; k++)
        trace_add(1.0, k < EVALUATIONS_KEPT ? (double)h_method->size[k] : 0.0);
}

static inline void release_loop(void)
{
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_y));
    CUDA(cudaFree(d_parts));
    CUDA(cudaFree(d_vectors));
    CUDA(cudaFree(d_method));
    CUDA(cudaFreeHost(h_method));
}

/* The steps are not taken on the host. */
static void add_up(const struct logreg *p)
{
    (void)p;
}

#endif
