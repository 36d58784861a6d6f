/*
 * The host side of cuda_naive, word for word, for variants that differ from it in the kernel only: memory on the
 * device, and the copies there and back.
 */
#ifndef RUNGS_KNN_CUDA_BUFFERS_H
#define RUNGS_KNN_CUDA_BUFFERS_H

#include "common/cuda.h"
#include "common/knn.h"

/* d_: memory on the device */
static float *d_obs_lat, *d_obs_lon, *d_ref_lat, *d_ref_lon, *d_distance;
static uint32_t *d_index;

static void prepare(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    CUDA(cudaMalloc(&d_obs_lat, p->m * sizeof(float)));
    CUDA(cudaMalloc(&d_obs_lon, p->m * sizeof(float)));
    CUDA(cudaMalloc(&d_ref_lat, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_ref_lon, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_index, p->m * p->k * sizeof(uint32_t)));
    CUDA(cudaMalloc(&d_distance, p->m * p->k * sizeof(float)));
}

[[maybe_unused]] static void upload(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    CUDA(cudaMemcpy(d_obs_lat, p->obs_lat, p->m * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_obs_lon, p->obs_lon, p->m * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_ref_lat, p->ref_lat, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_ref_lon, p->ref_lon, p->n * sizeof(float), cudaMemcpyHostToDevice));
}

[[maybe_unused]] static void download(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    CUDA(cudaMemcpy(p->index, d_index, p->m * p->k * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(p->distance, d_distance, p->m * p->k * sizeof(float), cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_obs_lat));
    CUDA(cudaFree(d_obs_lon));
    CUDA(cudaFree(d_ref_lat));
    CUDA(cudaFree(d_ref_lon));
    CUDA(cudaFree(d_index));
    CUDA(cudaFree(d_distance));
}

#endif
