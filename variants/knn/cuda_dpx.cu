/*
 * knn / cuda_dpx
 *
 * Idea     The sweep does nothing but scores.  Compared as integers, scores have a minimum of three in
 *          one instruction (DPX, on compute capability 9.0), so two pairs cost seven instructions: six
 *          multiply-adds and a minimum.  Only the best score of each tile of 64 references matters, and
 *          only the best tile of each quarter of them is kept, in registers (cuda_sweep.h).
 * Against  cuda_tiled, which takes a maximum for each pair, and writes each tile's best to memory.
 * Expect   Bound by instructions: seven for two pairs, and a load for four pairs.  On older devices the
 *          minimum of three is two instructions, so it is a seventh slower there.
 * Try      GROUP = 8: half the loads, twice the registers.
 * Level    3
 * Read     cuda_buffers.h, cuda_refine.h, cuda_refine_f64.h, cuda_sweep.h, cuda_exact.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_obs_lat, d_index ... */
#include "cuda_refine.h"  /* nearest_sweep, score, keep_best, found_entry; after the sweep, refine */

enum { THREADS = 128, GROUP = 4 }; /* observations a thread */

static nearest_sweep d_sweep;

__global__ static void knn_dpx_units(nearest_sweep s)
{
    begin(s);
    place_reference(s, (size_t)blockIdx.x * CHUNK + threadIdx.x);
}

struct quarters { /* of one observation */
    best_tile best[QUARTERS];
};

__device__ static void write_found(nearest_sweep s, size_t i, const best_tile *best)
{
    const int least = min(min(best[0].score, best[1].score), min(best[2].score, best[3].score));

    s.found[2 * i] = make_uint4(NOWHERE, NOWHERE, NOWHERE, NOWHERE);
    s.found[2 * i + 1] =
        make_uint4(found_entry(best[0], least, window), found_entry(best[1], least, window),
                   found_entry(best[2], least, window), found_entry(best[3], least, window));
}

__global__ static void __launch_bounds__(THREADS) knn_dpx(nearest_sweep s, points obs)
{
    __shared__ float4 chunk[CHUNK];
    const size_t first = (size_t)blockIdx.x * THREADS * GROUP + threadIdx.x;
    quarters kept[GROUP];
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
                keep_best(&kept[g].best[q], least[g], c * QUARTERS + q);
        }
    }
#pragma unroll
    for (unsigned g = 0; g < GROUP; g++)
        if (first + g * THREADS < obs.count)
            write_found(s, first + g * THREADS, kept[g].best);
}

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return p->k > 1 ? "finds one neighbour; for more there is cuda_topk" : NULL;
}

static void prepare_sweep(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    prepare(problem);
    d_sweep = nearest_new(p->m, p->n);
    d_sweep.middle = 0; /* no halves: a quarter is swept from the first chunk to the last */
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const points obs = {p->m, d_obs_lat, d_obs_lon, d_index, d_distance};

    if (p->m == 0)
        return;
    d_sweep.ref = {p->n, d_ref_lat, d_ref_lon, NULL, NULL};
    knn_dpx_units<<<d_sweep.chunks, CHUNK>>>(d_sweep);
    CUDA(cudaGetLastError());
    knn_dpx<<<blocks_of(p->m, THREADS * GROUP), THREADS>>>(d_sweep, obs);
    CUDA(cudaGetLastError());
    refine(d_sweep, obs, 0);
}

static void release_sweep(void)
{
    nearest_free(d_sweep);
    release();
}

VARIANT(.idea = "scores as integers: a minimum of three in one instruction",
        .base = "cuda_tiled",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_sweep,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_sweep)
