/*
 * For cuda_nccl and cuda_mpi: each rank has a share of the observations on its GPU, and all references.  No rank needs
 * another's answer, and of references at one distance each finds the lowest index, as one GPU does.  The variant has included
 * how ranks send.
 */
#ifndef RUNGS_KNN_CUDA_RANKS_H
#define RUNGS_KNN_CUDA_RANKS_H

#include "common/knn.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* nearest, TILE */

static struct mpi_cut cut;
static float *d_obs_lat, *d_obs_lon, *d_ref_lat, *d_ref_lon, *d_distance; /* own observations, all references */
static uint32_t *d_index;

__global__ static void knn_share(size_t m, size_t n, size_t k, const float *obs_lat, const float *obs_lon,
                                 const float *ref_lat, const float *ref_lon, uint32_t *index, float *distance)
{
    nearest(m, n, k, obs_lat, obs_lon, ref_lat, ref_lon, index, distance);
}

static const char *refuse(const void *problem)
{
    const char *why = ranks_refuse();

    return why != NULL ? why : mpi_too_many(((const struct knn *)problem)->m);
}

static void prepare(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    ranks_begin();
    cut = mpi_cut(p->m);
    CUDA(cudaMalloc(&d_obs_lat, cut.count * sizeof(float)));
    CUDA(cudaMalloc(&d_obs_lon, cut.count * sizeof(float)));
    CUDA(cudaMalloc(&d_ref_lat, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_ref_lon, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_index, cut.count * p->k * sizeof(uint32_t)));
    CUDA(cudaMalloc(&d_distance, cut.count * p->k * sizeof(float)));
}

static void upload(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    ranks_scatter(&cut, sizeof(float), p->obs_lat, d_obs_lat);
    ranks_scatter(&cut, sizeof(float), p->obs_lon, d_obs_lon);
    ranks_broadcast(p->ref_lat, d_ref_lat, p->n * sizeof(float));
    ranks_broadcast(p->ref_lon, d_ref_lon, p->n * sizeof(float));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const unsigned blocks = (unsigned)((cut.count + TILE - 1) / TILE);

    if (blocks == 0)
        return;
    knn_share<<<blocks, TILE, 0, stream>>>(cut.count, p->n, p->k, d_obs_lat, d_obs_lon, d_ref_lat, d_ref_lon, d_index,
                                           d_distance);
    CUDA(cudaGetLastError());
}

static void download(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    ranks_gather(&cut, p->k * sizeof(uint32_t), d_index, p->index);
    ranks_gather(&cut, p->k * sizeof(float), d_distance, p->distance);
}

static void release(void)
{
    CUDA(cudaFree(d_obs_lat));
    CUDA(cudaFree(d_obs_lon));
    CUDA(cudaFree(d_ref_lat));
    CUDA(cudaFree(d_ref_lon));
    CUDA(cudaFree(d_index));
    CUDA(cudaFree(d_distance));
    mpi_cut_free(&cut);
    ranks_end();
}

#endif
