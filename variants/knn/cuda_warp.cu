/*
 * knn / cuda_warp
 *
 * Idea     A warp looks for the nearest to one observation.  Each lane keeps the best (h, index) of
 *          every 32nd reference; then shuffles halve the number of lanes in question five
 *          times.  Four warps share an observation; a second kernel finds the best of their four in
 *          the same way.
 * Against  cuda_naive, where one thread has all references of an observation.
 * Expect   Bound by sines, like cuda_naive less root and arcsine, which wait until the end
 *          here.  The gain is where observations are few: 128 threads an observation keep the
 *          device busy.
 * Try      m = 100 and m = 100000 against cuda_naive.  And SHARES = 1, 32.
 * Level    2
 * Read     cuda_buffers.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_obs_lat and all that */

enum { WARP = 32, THREADS = 256, SHARES = 4 }; /* SHARES: warps to an observation, up to WARP */

static const unsigned all_lanes = 0xffffffff;

static float *d_part_h; /* [m][SHARES] the best of each share */
static uint32_t *d_part_index;

struct best {
    float h;
    uint32_t index;
};

/* Lane 0 has the best of the warp in the end; of equal ones, that with the lowest index. */
__device__ static struct best best_of_warp(struct best mine)
{
    for (unsigned step = WARP / 2; step > 0; step /= 2) {
        float h = __shfl_down_sync(all_lanes, mine.h, step);
        uint32_t index = __shfl_down_sync(all_lanes, mine.index, step);

        if (h < mine.h || (h == mine.h && index < mine.index))
            mine = {h, index};
    }
    return mine;
}

__global__ static void knn_warp(size_t m, size_t n, const float *obs_lat, const float *obs_lon,
                                const float *ref_lat, const float *ref_lon, float *part_h,
                                uint32_t *part_index)
{
    const size_t warp = ((size_t)blockIdx.x * THREADS + threadIdx.x) / WARP;
    const size_t i = warp / SHARES, share = warp % SHARES;

    if (i >= m)
        return; /* a whole warp: shuffles are not disturbed */

    const float lat = obs_lat[i], lon = obs_lon[i], cos_lat = cosf(lat);
    struct best mine = {INFINITY, UINT32_MAX};

    for (size_t j = share * WARP + threadIdx.x % WARP; j < n; j += SHARES * WARP) {
        const float sin_lat = sinf((ref_lat[j] - lat) / 2), sin_lon = sinf((ref_lon[j] - lon) / 2);
        const float h = sin_lat * sin_lat + cos_lat * cosf(ref_lat[j]) * (sin_lon * sin_lon);

        if (h < mine.h)
            mine = {h, (uint32_t)j};
    }
    mine = best_of_warp(mine);
    if (threadIdx.x % WARP == 0) {
        part_h[warp] = mine.h;
        part_index[warp] = mine.index;
    }
}

__global__ static void knn_warp_parts(size_t m, const float *part_h, const uint32_t *part_index,
                                      uint32_t *index, float *distance)
{
    const size_t i = ((size_t)blockIdx.x * THREADS + threadIdx.x) / WARP;
    const unsigned lane = threadIdx.x % WARP;
    struct best mine = {INFINITY, UINT32_MAX};

    if (i >= m)
        return;
    if (lane < SHARES)
        mine = {part_h[i * SHARES + lane], part_index[i * SHARES + lane]};
    mine = best_of_warp(mine);
    if (lane == 0) {
        index[i] = mine.index;
        distance[i] = 2 * asinf(sqrtf(fminf(mine.h, 1)));
    }
}

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return p->k > 1 ? "k = 1 only" : NULL;
}

static void prepare_parts(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    prepare(problem);
    CUDA(cudaMalloc(&d_part_h, p->m * SHARES * sizeof(float)));
    CUDA(cudaMalloc(&d_part_index, p->m * SHARES * sizeof(uint32_t)));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const size_t warps = THREADS / WARP; /* of a block */

    if (p->m == 0)
        return;
    knn_warp<<<(unsigned)((p->m * SHARES + warps - 1) / warps), THREADS>>>(
        p->m, p->n, d_obs_lat, d_obs_lon, d_ref_lat, d_ref_lon, d_part_h, d_part_index);
    CUDA(cudaGetLastError());
    knn_warp_parts<<<(unsigned)((p->m + warps - 1) / warps), THREADS>>>(
        p->m, d_part_h, d_part_index, d_index, d_distance);
    CUDA(cudaGetLastError());
}

static void release_parts(void)
{
    CUDA(cudaFree(d_part_h));
    CUDA(cudaFree(d_part_index));
    release();
}

VARIANT(.idea = "a warp an observation, shuffles find the least",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_parts,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_parts)
