/*
 * knn / cuda_topk
 *
 * Idea     k neighbours in two steps.  The sweep scores all pairs and keeps, of each tile of 64
 *          references, only the best score, 16 bits of it.  These tell which tiles can have one of the k
 *          nearest: about nine for k = 8.  Only those tiles are scored again, and float64 ranks what is
 *          left (cuda_topk_select.h has the steps).
 * Against  cuda_tiled, which also keeps the best score of every tile, all 32 bits of it, and afterwards
 *          lets each thread keep a list in local memory.
 * Expect   The sweep is cuda_dpx's; it takes as long as for k = 1, and writes 512 bytes of scores for each
 *          observation at n = 2^14.  What follows costs some 400 instructions of a warp for each
 *          (k = 8; docs/limits/knn.md).
 * Try      --size m=65536,n=8192,k=8 and k=9, 17: lists have 8, 16 and 32 entries; what do longer ones cost?
 *          And --size M, where k = 1, against cuda_dpx: what does it cost to be ready for more?
 * Level    3
 * Read     cuda_buffers.h, cuda_topk_select.h, cuda_topk_limit.h, cuda_topk.h, cuda_sweep.h, cuda_exact.h,
 *          cuda_topk_overflow.h
 */
#include "common/variant.h"
#include "cuda_buffers.h"     /* prepare, upload, download, release; d_obs_lat, d_index ... */
#include "cuda_topk_select.h" /* topk_sweep, keep_best, scores_of; after the sweep, topk_select */

enum { THREADS = 128, GROUP = 4 }; /* observations a thread */

static topk_sweep d_sweep;

__global__ static void knn_topk_units(topk_sweep s)
{
    begin(s);
    place_reference(s, (size_t)blockIdx.x * CHUNK + threadIdx.x);
}

__global__ static void __launch_bounds__(THREADS) knn_topk(topk_sweep s, points obs)
{
    __shared__ float4 chunk[CHUNK];
    const size_t first = (size_t)blockIdx.x * THREADS * GROUP + threadIdx.x;
    last_four kept[GROUP]; /* a chunk has four tiles */
    float4 at[GROUP];

#pragma unroll
    for (unsigned g = 0; g < GROUP; g++) {
        const size_t i = first + g * THREADS < obs.count ? first + g * THREADS : obs.count - 1;

        at[g] = unit_vector(obs.lat[i], obs.lon[i]);
    }
    for (unsigned c = 0; c < s.chunks; c++) {
        __syncthreads(); /* all threads are done with the chunk before */
        for (unsigned r = threadIdx.x; r < CHUNK; r += THREADS) {
            const float *const unit = unit_of(s, (size_t)c * CHUNK + r);

            chunk[r] = make_float4(unit[0], unit[TILE], unit[2 * TILE], 0);
        }
        __syncthreads();
#pragma unroll
        for (unsigned q = 0; q < QUARTERS; q++) {
            int least[GROUP];

#pragma unroll
            for (unsigned g = 0; g < GROUP; g++)
                least[g] = farthest;
#pragma unroll 4
            for (unsigned r = q * TILE; r < (q + 1) * TILE; r += 2) {
                const float4 a = chunk[r], b = chunk[r + 1];

#pragma unroll
                for (unsigned g = 0; g < GROUP; g++)
                    least[g] = __vimin3_s32(least[g], __float_as_int(score(at[g], a.x, a.y, a.z)),
                                            __float_as_int(score(at[g], b.x, b.y, b.z)));
            }
#pragma unroll
            for (unsigned g = 0; g < GROUP; g++)
                keep_best(&kept[g], least[g], c * QUARTERS + q);
        }
#pragma unroll
        for (unsigned g = 0; g < GROUP; g++)
            scores_of(s, first + g * THREADS)[c * WARP] = kept[g].four;
    }
}

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return p->k > MOST ? "keeps 32 neighbours at most" : NULL;
}

static void prepare_sweep(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    prepare(problem);
    d_sweep = topk_new(p->m, p->n, p->k);
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const points all = {p->m, d_obs_lat, d_obs_lon, d_index, d_distance};

    d_sweep.ref = {p->n, d_ref_lat, d_ref_lon, NULL, NULL};
    for (size_t i = 0; i < p->m; i += d_sweep.pass) {
        const points obs = pass_of(d_sweep, all, i);

        knn_topk_units<<<d_sweep.chunks, CHUNK>>>(d_sweep);
        CUDA(cudaGetLastError());
        knn_topk<<<blocks_of(obs.count, THREADS * GROUP), THREADS>>>(d_sweep, obs);
        CUDA(cudaGetLastError());
        topk_select(d_sweep, obs, {0, window, window}, 0);
    }
}

static void release_sweep(void)
{
    topk_free(d_sweep);
    release();
}

VARIANT(.idea = "k neighbours: the best score of each tile says which tiles to score again",
        .base = "cuda_tiled",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_sweep,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_sweep)
