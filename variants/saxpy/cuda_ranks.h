/* For cuda_nccl and cuda_mpi: a rank's share on its GPU, and all phases.  The variant has included how ranks send. */
#ifndef RUNGS_SAXPY_CUDA_RANKS_H
#define RUNGS_SAXPY_CUDA_RANKS_H

#include "common/saxpy.h"
#include "common/variant.h"

static struct mpi_cut cut;
static float *d_x, *d_y, *d_z; /* [cut.count] */

__global__ static void saxpy_share(size_t n, float a, const float *x, const float *y, float *z)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        z[i] = a * x[i] + y[i];
}

static const char *refuse(const void *problem)
{
    const char *why = ranks_refuse();

    return why != NULL ? why : mpi_too_many(((const struct saxpy *)problem)->n);
}

static void prepare(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

    ranks_begin();
    cut = mpi_cut(p->n);
    CUDA(cudaMalloc(&d_x, cut.count * sizeof *d_x));
    CUDA(cudaMalloc(&d_y, cut.count * sizeof *d_y));
    CUDA(cudaMalloc(&d_z, cut.count * sizeof *d_z));
}

static void upload(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;

    ranks_scatter(&cut, sizeof *d_x, p->x, d_x);
    ranks_scatter(&cut, sizeof *d_y, p->y, d_y);
}

static void run(const void *problem)
{
    const struct saxpy *p = (const struct saxpy *)problem;
    const unsigned threads = 256, blocks = (unsigned)((cut.count + threads - 1) / threads);

    if (blocks == 0)
        return;
    saxpy_share<<<blocks, threads, 0, stream>>>(cut.count, p->a, d_x, d_y, d_z);
    CUDA(cudaGetLastError());
}

static void download(const void *problem)
{
    ranks_gather(&cut, sizeof *d_z, d_z, ((const struct saxpy *)problem)->z);
}

static void release(void)
{
    CUDA(cudaFree(d_x));
    CUDA(cudaFree(d_y));
    CUDA(cudaFree(d_z));
    mpi_cut_free(&cut);
    ranks_end();
}

#endif
