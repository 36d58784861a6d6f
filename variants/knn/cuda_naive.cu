/*
 * knn / cuda_naive
 *
 * Idea     One thread an observation, on the GPU: it goes through all references as cpu_naive does.
 *          All that it takes stands in this file: memory on the device, copies there and back, the
 *          launch.  Later variants share the host side with it.
 * Against  cpu_naive: one thread for all observations.
 * Expect   Bound by special functions: four sines and cosines, a root and an arcsine for each pair
 *          become well over a hundred instructions.  The references stay in the caches.
 * Try      m = 1000 against m = 100000: why does it take hardly any longer?
 * Level    1
 * Read     nothing else
 */
#include "common/cuda.h"
#include "common/knn.h"
#include "common/variant.h"

static const int threads = 256; /* of a block; any multiple of a warp's 32 from 128 on does */

/* On the device, as all that begins with d_. */
static float *d_obs_lat, *d_obs_lon, *d_ref_lat, *d_ref_lon, *d_distance;
static uint32_t *d_index;

__device__ static float haversine(float lat1, float lon1, float lat2, float lon2)
{
    float sin_lat = sinf((lat2 - lat1) / 2);
    float sin_lon = sinf((lon2 - lon1) / 2);
    float h = sin_lat * sin_lat + cosf(lat1) * cosf(lat2) * sin_lon * sin_lon;

    /* Rounding can lift h above 1 at the antipode, where asinf has no answer. */
    return 2 * asinf(sqrtf(fminf(h, 1)));
}

__global__ static void knn_naive(size_t m, size_t n, size_t k, const float *obs_lat,
                                 const float *obs_lon, const float *ref_lat, const float *ref_lon,
                                 uint32_t *index, float *distance)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= m)
        return; /* the last block may reach past the end */

    float lat = obs_lat[i], lon = obs_lon[i], farthest = INFINITY; /* of the k held */

    index += i * k; /* the answer's own places are the list of the nearest so far */
    distance += i * k;
    for (size_t r = 0; r < k; r++)
        distance[r] = INFINITY, index[r] = 0;

    for (size_t j = 0; j < n; j++) {
        float d = haversine(lat, lon, ref_lat[j], ref_lon[j]);

        if (!(d < farthest))
            continue;

        size_t place = k - 1;

        /* Only what is strictly farther moves: of equal distances the first stays first. */
        for (; place > 0 && d < distance[place - 1]; place--) {
            distance[place] = distance[place - 1];
            index[place] = index[place - 1];
        }
        distance[place] = d;
        index[place] = (uint32_t)j;
        farthest = distance[k - 1];
    }
}

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

static void upload(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    CUDA(cudaMemcpy(d_obs_lat, p->obs_lat, p->m * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_obs_lon, p->obs_lon, p->m * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_ref_lat, p->ref_lat, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_ref_lon, p->ref_lon, p->n * sizeof(float), cudaMemcpyHostToDevice));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    size_t blocks = (p->m + threads - 1) / threads;

    if (blocks == 0)
        return; /* a launch of no blocks is an error */
    knn_naive<<<(unsigned)blocks, threads>>>(p->m, p->n, p->k, d_obs_lat, d_obs_lon, d_ref_lat,
                                             d_ref_lon, d_index, d_distance);
    CUDA(cudaGetLastError()); /* a bad launch is reported here, not at the next copy */
}

static void download(const void *problem)
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

VARIANT(.idea = "one thread an observation, all spelled out",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
