/* stencil: the host side of cuda_naive, word for word, for variants that differ from it only in the kernel. */
#ifndef RUNGS_STENCIL_CUDA_BUFFERS_H
#define RUNGS_STENCIL_CUDA_BUFFERS_H

#include "common/cuda.h"
#include "common/stencil.h"
#include "common/variant.h"

#define NINTH (1.0f / 9.0f) /* two small roundings, and no division */

/* Images on the device.  Sweeps alternate between d_out and d_scratch, which is NULL where no sweep
   needs it; d_in is not written, so that the next run finds it unchanged. */
static void *d_in, *d_out, *d_scratch;

static size_t image_bytes(const struct stencil *p)
{
    return p->rows * p->cols * (p->bytes ? sizeof(uint8_t) : sizeof(float));
}

static void prepare(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;

    CUDA(cudaMalloc(&d_in, image_bytes(p)));
    CUDA(cudaMalloc(&d_out, image_bytes(p)));
    CUDA(cudaMalloc(&d_scratch, p->sweeps > 1 ? image_bytes(p) : 0));
}

static void upload(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    const void *in = p->bytes ? (const void *)p->in8 : p->in;

    CUDA(cudaMemcpy(d_in, in, image_bytes(p), cudaMemcpyHostToDevice));
}

static void download(const void *problem)
{
    const struct stencil *p = (const struct stencil *)problem;
    void *out = p->bytes ? (void *)p->out8 : p->out;

    CUDA(cudaMemcpy(out, d_out, image_bytes(p), cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_in));
    CUDA(cudaFree(d_out));
    CUDA(cudaFree(d_scratch));
}

#endif
