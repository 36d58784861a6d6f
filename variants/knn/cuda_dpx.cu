/*
 * knn / cuda_dpx
 *
 * Idea     Nothing but scores.  Scores compared as integers have a minimum of three in one
 *          instruction (DPX, on compute capability 9.0), so two pairs cost seven: six multiply-adds
 *          and a minimum.  Of a tile of 64 references only its best score matters, and that stays
 *          in registers, or is written, 16 bits of it, if more than one neighbour is asked for.
 * Against  cuda_tiled, which takes a maximum a pair, and writes each tile's to memory.
 * Expect   Bound by instructions, seven for two pairs, and the loads, one for four.  Where the
 *          minimum of three is two instructions, on older devices, a seventh slower.
 * Try      GROUP = 8: half the loads, twice the registers.
 * Level    3
 * Read     cuda_buffers.h, cuda_several.h, cuda_crowded.h, cuda_minima.h, cuda_settle.h,
 *          cuda_decide.h, cuda_sweep.h, cuda_exact.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_obs_lat and all that */
#include "cuda_several.h" /* sweep, note, verdict, settle; if k > 1, recent, settle_several */

enum { THREADS = 128, GROUP = 4 }; /* observations a thread */

static sweep d_sweep;

__global__ static void knn_dpx_units(sweep s)
{
    begin(s);
    place_reference(s, (size_t)blockIdx.x * CHUNK + threadIdx.x);
}

/* What is kept of an observation: of each quarter the best tile, or if k > 1 all tiles' scores. */
struct best_tiles {
    nearest of[QUARTERS];
};

__device__ static void keep(best_tiles *kept, int least, unsigned chunk, unsigned quarter)
{
    note(&kept->of[quarter], least, chunk * QUARTERS + quarter);
}

__device__ static void keep(recent *kept, int least, unsigned chunk, unsigned quarter)
{
    note(kept, least, chunk * QUARTERS + quarter);
}

/* What there is to write after each chunk, and in the end */
__device__ static void write_chunk(sweep, size_t, unsigned, const best_tiles *)
{
}

__device__ static void write_chunk(sweep s, size_t i, unsigned chunk, const recent *kept)
{
    scores_of(s, i)[chunk * WARP] = kept->four;
}

__device__ static void write_end(sweep s, size_t i, const best_tiles *kept)
{
    const nearest *of = kept->of;
    const int least = min(min(of[0].score, of[1].score), min(of[2].score, of[3].score));

    s.found[2 * i] = make_uint4(NOWHERE, NOWHERE, NOWHERE, NOWHERE);
    s.found[2 * i + 1] = make_uint4(verdict(of[0], least, window), verdict(of[1], least, window),
                                    verdict(of[2], least, window), verdict(of[3], least, window));
}

__device__ static void write_end(sweep, size_t, const recent *)
{
}

template <class KEPT>
__global__ static void __launch_bounds__(THREADS) knn_dpx(sweep s, points obs)
{
    __shared__ float4 chunk[CHUNK];
    const size_t first = (size_t)blockIdx.x * THREADS * GROUP + threadIdx.x;
    KEPT kept[GROUP];
    float4 at[GROUP];

#pragma unroll
    for (unsigned g = 0; g < GROUP; g++) {
        const size_t i = first + g * THREADS < obs.count ? first + g * THREADS : obs.count - 1;

        at[g] = unit_vector(obs.lat[i], obs.lon[i]);
    }
    for (unsigned c = 0; c < s.chunks; c++) {
        __syncthreads(); /* nobody needs the chunk before */
        for (unsigned r = threadIdx.x; r < CHUNK; r += THREADS) {
            const float *const unit = unit_of(s, (size_t)c * CHUNK + r);

            chunk[r] = make_float4(unit[0], unit[PART], unit[2 * PART], 0);
        }
        __syncthreads();
#pragma unroll
        for (unsigned q = 0; q < QUARTERS; q++) {
            int least[GROUP];

#pragma unroll
            for (unsigned g = 0; g < GROUP; g++)
                least[g] = farthest;
#pragma unroll 4
            for (unsigned r = q * PART; r < (q + 1) * PART; r += 2) {
                const float4 a = chunk[r], b = chunk[r + 1];

#pragma unroll
                for (unsigned g = 0; g < GROUP; g++)
                    least[g] = __vimin3_s32(least[g], __float_as_int(score(at[g], a.x, a.y, a.z)),
                                            __float_as_int(score(at[g], b.x, b.y, b.z)));
            }
#pragma unroll
            for (unsigned g = 0; g < GROUP; g++)
                keep(&kept[g], least[g], c, q);
        }
#pragma unroll
        for (unsigned g = 0; g < GROUP; g++)
            write_chunk(s, first + g * THREADS, c, &kept[g]);
    }
#pragma unroll
    for (unsigned g = 0; g < GROUP; g++)
        if (first + g * THREADS < obs.count)
            write_end(s, first + g * THREADS, &kept[g]);
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
    d_sweep = sweep_new(p->m, p->n, p->k);
    d_sweep.middle = 0; /* the best of quarters, from the first chunk to the last */
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const points all = {p->m, d_obs_lat, d_obs_lon, d_index, d_distance};

    if (p->m == 0)
        return;
    d_sweep.ref = {p->n, d_ref_lat, d_ref_lon, NULL, NULL};
    for (size_t i = 0; i < p->m; i += d_sweep.pass) {
        const points obs = pass_of(d_sweep, all, i);
        const unsigned blocks = blocks_of(obs.count, THREADS * GROUP);

        knn_dpx_units<<<d_sweep.chunks, CHUNK>>>(d_sweep);
        CUDA(cudaGetLastError());
        if (p->k == 1)
            knn_dpx<best_tiles><<<blocks, THREADS>>>(d_sweep, obs);
        else
            knn_dpx<recent><<<blocks, THREADS>>>(d_sweep, obs);
        CUDA(cudaGetLastError());
        if (p->k == 1)
            settle(d_sweep, obs, 0);
        else
            settle_several(d_sweep, obs, {0, window, window}, 0);
    }
}

static void release_sweep(void)
{
    sweep_free(d_sweep);
    release();
}

VARIANT(.idea = "scores as integers: a minimum of three; the best tile stays in registers",
        .base = "cuda_tiled",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_sweep,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_sweep)
