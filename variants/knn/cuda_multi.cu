/*
 * knn / cuda_multi
 *
 * Idea     All GPUs, a host thread for each.  Every one gets all references; the observations are
 *          cut into chunks, and whichever GPU is idle takes the next one.
 * Against  cuda_shared, the same kernel on one GPU.
 * Expect   Compare end to end: all of it is in `run`.  The GPUs share nothing but the queue and the
 *          host's memory, so nearly as many times more as there are of them, as long as there are
 *          several chunks for each.
 * Try      CHUNK = 2^14 and 2^22: small chunks wait for the bus, large ones for the slowest GPU.
 * Level    2
 * Read     cuda_kernel.h
 */
#include <omp.h>

#include "common/cuda.h"
#include "common/knn.h"
#include "common/variant.h"
#include "cuda_kernel.h" /* nearest, TILE */

/* Answers of a chunk: some rounds of blocks on a large GPU, so that its end costs little. */
enum { CHUNK = 1 << 19 };

static struct gpu {
    float *d_obs_lat, *d_obs_lon, *d_ref_lat, *d_ref_lon, *d_distance; /* a chunk, but all refs */
    uint32_t *d_index;
} *gpu; /* [gpus] */
static int gpus;
static size_t chunk; /* observations */

__global__ static void knn_multi(size_t m, size_t n, size_t k, const float *obs_lat,
                                 const float *obs_lon, const float *ref_lat, const float *ref_lon,
                                 uint32_t *index, float *distance)
{
    nearest(m, n, k, obs_lat, obs_lon, ref_lat, ref_lon, index, distance);
}

static void prepare(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    chunk = p->k < CHUNK ? CHUNK / p->k : 1;
    chunk = chunk <= p->m ? chunk : p->m + 1; /* never 0 */
    CUDA(cudaGetDeviceCount(&gpus));
    gpu = (struct gpu *)malloc(gpus * sizeof *gpu);
    for (struct gpu *g = gpu; g < gpu + gpus; g++) {
        CUDA(cudaSetDevice((int)(g - gpu)));
        CUDA(cudaMalloc(&g->d_obs_lat, chunk * sizeof(float)));
        CUDA(cudaMalloc(&g->d_obs_lon, chunk * sizeof(float)));
        CUDA(cudaMalloc(&g->d_ref_lat, p->n * sizeof(float)));
        CUDA(cudaMalloc(&g->d_ref_lon, p->n * sizeof(float)));
        CUDA(cudaMalloc(&g->d_index, chunk * p->k * sizeof(uint32_t)));
        CUDA(cudaMalloc(&g->d_distance, chunk * p->k * sizeof(float)));
    }
    CUDA(cudaSetDevice(0)); /* the harness counts on it */
}

/* Answers observations i .. i+count-1; ends when the answers are in host memory. */
static void answer_chunk(const struct gpu *g, const struct knn *p, size_t i, size_t count)
{
    const unsigned blocks = (unsigned)((count + TILE - 1) / TILE);
    const size_t bytes = count * sizeof(float), answers = count * p->k;

    CUDA(cudaMemcpy(g->d_obs_lat, p->obs_lat + i, bytes, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(g->d_obs_lon, p->obs_lon + i, bytes, cudaMemcpyHostToDevice));
    knn_multi<<<blocks, TILE>>>(count, p->n, p->k, g->d_obs_lat, g->d_obs_lon, g->d_ref_lat,
                                g->d_ref_lon, g->d_index, g->d_distance);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(p->index + i * p->k, g->d_index, answers * sizeof(uint32_t),
                    cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(p->distance + i * p->k, g->d_distance, answers * sizeof(float),
                    cudaMemcpyDeviceToHost));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const size_t bytes = p->n * sizeof(float);

#pragma omp parallel num_threads(gpus)
    {
        const struct gpu *mine = &gpu[omp_get_thread_num()];

        CUDA(cudaSetDevice(omp_get_thread_num())); /* a thread's own setting; thread 0 is ours */
        CUDA(cudaMemcpy(mine->d_ref_lat, p->ref_lat, bytes, cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(mine->d_ref_lon, p->ref_lon, bytes, cudaMemcpyHostToDevice));
        /* Dynamic: a chunk goes to whoever asks first. */
#pragma omp for schedule(dynamic)
        for (size_t i = 0; i < p->m; i += chunk)
            answer_chunk(mine, p, i, p->m - i < chunk ? p->m - i : chunk);
    }
}

static void release(void)
{
    for (struct gpu *g = gpu; g < gpu + gpus; g++) {
        CUDA(cudaSetDevice((int)(g - gpu)));
        CUDA(cudaFree(g->d_obs_lat));
        CUDA(cudaFree(g->d_obs_lon));
        CUDA(cudaFree(g->d_ref_lat));
        CUDA(cudaFree(g->d_ref_lon));
        CUDA(cudaFree(g->d_index));
        CUDA(cudaFree(g->d_distance));
    }
    CUDA(cudaSetDevice(0));
    free(gpu);
}

VARIANT(.idea = "all GPUs draw chunks of observations from a queue",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_FAST,
        .traits = TRAIT_ALL_GPUS,
        .prepare = prepare,
        .run = run,
        .release = release)
