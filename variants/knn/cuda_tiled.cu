/*
 * knn / cuda_tiled
 *
 * Idea     Tiles in registers: a thread has eight observations, as unit vectors, and each reference that it
 *          loads from shared memory serves all of them.  A pair is a dot product and a maximum.  Of 256
 *          references only the best score is kept.  Afterwards cuda_tiles.h finds which reference it was, by
 *          chords, and asks float64 where float32 cannot tell.
 * Against  cuda_shared, with two sines a pair.  Its indexes are not always float64's; these are.
 * Expect   Bound by instructions: three multiply-adds and a maximum a pair, one load for eight pairs.  Scoring
 *          tiles again takes some hundreds an answer, which is little where references are thousands.
 * Try      GROUP = 1, 4, 16: how many loads a pair, how many registers a thread?  In cuda_tiles.h, TILE = 64,
 *          128: more best scores to write and read, or more references to score again?
 * Level    2
 * Read     cuda_buffers.h, cuda_tiles.h, cuda_exact.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_obs_lat, d_index ... */
#include "cuda_tiles.h"   /* TILE, AHEAD, MOST, unit_vector, dot, answer_by_tiles */

/* A block scores THREADS x GROUP observations by a slice of the references, of TILES tiles. */
enum { THREADS = 128, GROUP = 8, TILES = 2, SLICE = TILES * TILE };

static const size_t scores_at_once = (size_t)1 << 29; /* 2 GiB of them */

static float4 *d_ref, *d_obs; /* [ref_room], [pass] unit vectors */
static float *d_best;         /* [ref_room / TILE][pass] the best score of each tile */
static size_t ref_room, pass; /* references, made up to AHEAD tiles; observations at once */

/* The points, and up to `room` NaN: no maximum takes it, no comparison lets it through. */
__global__ static void knn_tiled_units(size_t points, size_t room, const float *lat,
                                       const float *lon, float4 *unit)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < room)
        unit[i] = i < points ? unit_vector(lat[i], lon[i]) : make_float4(NAN, NAN, NAN, 0);
}

__global__ static void knn_tiled(size_t m, size_t slices, const float4 *obs, const float4 *ref,
                                 float *best)
{
    __shared__ float4 slice[SLICE];
    /* Blocks one after another have the same observations, and one slice each. */
    const size_t first = blockIdx.x / slices * (THREADS * GROUP) + threadIdx.x;
    const size_t number = blockIdx.x % slices;
    float4 at[GROUP];

    for (unsigned r = threadIdx.x; r < SLICE; r += THREADS)
        slice[r] = ref[number * SLICE + r];
#pragma unroll
    for (unsigned g = 0; g < GROUP; g++)
        at[g] = obs[first + g * THREADS < m ? first + g * THREADS : m - 1];
    __syncthreads(); /* the slice is complete */

    for (unsigned tile = 0; tile < TILES; tile++) {
        float top[GROUP];

#pragma unroll
        for (unsigned g = 0; g < GROUP; g++)
            top[g] = -2; /* below any score */
#pragma unroll 8
        for (unsigned r = 0; r < TILE; r++) {
            const float4 point = slice[tile * TILE + r];

#pragma unroll
            for (unsigned g = 0; g < GROUP; g++)
                top[g] = fmaxf(top[g], dot(at[g], point));
        }
#pragma unroll
        for (unsigned g = 0; g < GROUP; g++)
            if (first + g * THREADS < m)
                best[(number * TILES + tile) * m + first + g * THREADS] = top[g];
    }
}

__global__ static void knn_tiled_answer(size_t m, size_t tiles, size_t k, struct references ref,
                                        const float *lat, const float *lon, const float4 *obs,
                                        const float *best, uint32_t *index, float *distance)
{
    __shared__ exchange lanes[THREADS];
    const size_t mine = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t i = mine < m ? mine : 0; /* a warp stays whole, but for none there are no tiles */

    answer_by_tiles(ref, k, lat[i], lon[i], obs[i], best + i, mine < m ? tiles : 0, m,
                    &lanes[threadIdx.x / WARP * WARP], index + i * k, distance + i * k);
}

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return p->k > MOST ? "keeps 32 neighbours at most" : NULL;
}

static void prepare_units(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    prepare(problem);
    ref_room = (p->n + AHEAD * TILE - 1) / (AHEAD * TILE) * (AHEAD * TILE);
    pass = scores_at_once / (ref_room / TILE);
    pass = pass < p->m ? pass : p->m;
    CUDA(cudaMalloc(&d_ref, ref_room * sizeof *d_ref));
    CUDA(cudaMalloc(&d_obs, pass * sizeof *d_obs));
    CUDA(cudaMalloc(&d_best, ref_room / TILE * pass * sizeof *d_best));
}

static unsigned blocks_of(size_t points, size_t of_a_block)
{
    return (unsigned)((points + of_a_block - 1) / of_a_block);
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    const struct references ref = {d_ref_lat, d_ref_lon, d_ref};
    const size_t slices = ref_room / SLICE, tiles = ref_room / TILE;

    knn_tiled_units<<<blocks_of(ref_room, THREADS), THREADS>>>(p->n, ref_room, ref.lat, ref.lon,
                                                               d_ref);
    CUDA(cudaGetLastError());
    for (size_t i = 0; i < p->m; i += pass) {
        const size_t m = p->m - i < pass ? p->m - i : pass;
        const float *lat = d_obs_lat + i, *lon = d_obs_lon + i;

        knn_tiled_units<<<blocks_of(m, THREADS), THREADS>>>(m, m, lat, lon, d_obs);
        CUDA(cudaGetLastError());
        knn_tiled<<<blocks_of(m, THREADS * GROUP) * (unsigned)slices, THREADS>>>(
            m, slices, d_obs, d_ref, d_best);
        CUDA(cudaGetLastError());
        knn_tiled_answer<<<blocks_of(m, THREADS), THREADS>>>(
            m, tiles, p->k, ref, lat, lon, d_obs, d_best, d_index + i * p->k,
            d_distance + i * p->k);
        CUDA(cudaGetLastError());
    }
}

static void release_units(void)
{
    CUDA(cudaFree(d_ref));
    CUDA(cudaFree(d_obs));
    CUDA(cudaFree(d_best));
    release();
}

VARIANT(.idea = "eight observations a thread, dot products; float64 decides close calls",
        .base = "cuda_shared",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare_units,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_units)
