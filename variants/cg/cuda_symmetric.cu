/*
 * cg / cuda_symmetric
 *
 * Idea     Half of A is the other half.  Only tiles on and below the diagonal are read, 64 x 128 by a warp: an element a_ij
 *          adds a_ij p_j to q_i and a_ij p_i to q_j.  Tiles add to q by atomics, and their parts of p q are added up as usual.
 * Against  cuda_fused, which reads all of A.
 * Expect   Twice as fast where memory is the limit, at n = 16384.  Smaller matrices stay in the cache and gain less.  The
 *          order of additions to q is any, so x differs in its last bits from run to run.
 * Try      HIGH = 32 and 128: how many atomic additions are there for an element of A?
 * Level    3
 * Read     cuda_buffers.h, cuda_steps.h
 */
#include "common/variant.h"
#include "cuda_steps.h" /* finished, block_sum, advance_and_turn, iterate_on_device; prepare, upload, download, release */

enum { HIGH = 64, WIDE = 4 * WARP, AT_ONCE = 8 /* rows whose loads are under way together */ };

/* Tiles on and below the diagonal are numbered row by row; row t of tiles has t / 2 + 1. */
__host__ __device__ static inline size_t tiles_before(size_t t)
{
    return (t / 2) * (t / 2 + 1) + t % 2 * (t / 2 + 1);
}

static_assert(WIDE == 2 * HIGH, "tiles_before counts on it");

/* Returns the row of tiles that has this tile. */
__device__ static size_t row_of_tile(size_t tile)
{
    size_t t = (size_t)(2 * sqrt((double)tile));

    while (tiles_before(t) > tile)
        t--;
    while (tiles_before(t + 1) <= tile)
        t++;
    return t;
}

/* Four neighbours of a row, from column j on; 0 right of the diagonal and beyond the matrix. */
__device__ static float4 four_of_row(const float *a, size_t n, size_t i, size_t j)
{
    const float *row = a + i * n + j;

    if (i >= n || j > i)
        return make_float4(0, 0, 0, 0);
    if (j + 3 <= i && n % 4 == 0)
        return *(const float4 *)row;
    return make_float4(row[0], j + 1 <= i ? row[1] : 0, j + 2 <= i ? row[2] : 0, j + 3 <= i ? row[3] : 0);
}

__device__ static float at(const float *p, size_t n, size_t j)
{
    return j < n ? p[j] : 0;
}

/* One tile by one warp; returns a lane's part of p q. */
__device__ static double multiply_tile(size_t n, size_t i0, size_t j0, const float *a, const float *p, float *q)
{
    const unsigned lane = threadIdx.x % WARP;
    const size_t j = j0 + 4 * lane;
    const float4 right = make_float4(at(p, n, j), at(p, n, j + 1), at(p, n, j + 2), at(p, n, j + 3));
    float4 below = make_float4(0, 0, 0, 0); /* of columns: sums of a_ij p_i left of the diagonal */
    double mine = 0;

    for (size_t first = i0; first < i0 + HIGH && first < n; first += AT_ONCE) {
        float4 v[AT_ONCE];

#pragma unroll
        for (unsigned r = 0; r < AT_ONCE; r++)
            v[r] = four_of_row(a, n, first + r, j);
#pragma unroll
        for (unsigned r = 0; r < AT_ONCE; r++) {
            const size_t i = first + r;
            const float pi = at(p, n, i);
            float sum = v[r].x * right.x + v[r].y * right.y + v[r].z * right.z + v[r].w * right.w;

            below.x += j < i ? v[r].x * pi : 0;
            below.y += j + 1 < i ? v[r].y * pi : 0;
            below.z += j + 2 < i ? v[r].z * pi : 0;
            below.w += j + 3 < i ? v[r].w * pi : 0;
            for (unsigned step = WARP / 2; step > 0; step /= 2)
                sum += __shfl_xor_sync(all_lanes, sum, step);
            if (lane == 0 && i < n) {
                atomicAdd(&q[i], sum);
                mine += (double)sum * pi;
            }
        }
    }

    const float sums[4] = {below.x, below.y, below.z, below.w};
    for (unsigned c = 0; c < 4; c++)
        if (j + c < n) {
            atomicAdd(&q[j + c], sums[c]);
            mine += (double)sums[c] * p[j + c];
        }
    return mine;
}

__global__ static void cg_symmetric(size_t n, size_t tiles, const float *a, const float *p, float *q, struct state *state,
                                    double *pq)
{
    const size_t warps = (size_t)gridDim.x * (THREADS / WARP);
    double mine = 0;

    if (finished(state))
        return;
    for (size_t tile = (size_t)blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP; tile < tiles; tile += warps) {
        const size_t t = row_of_tile(tile);

        mine += multiply_tile(n, t * HIGH, (tile - tiles_before(t)) * WIDE, a, p, q);
    }
    mine = block_sum(mine);
    if (threadIdx.x == 0)
        pq[blockIdx.x] = mine;
}

static unsigned places; /* blocks that fit on the device at once */

static void prepare_symmetric(const void *problem)
{
    int processors, each;

    prepare(problem);
    CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, cg_symmetric, THREADS, 0));
    places = (unsigned)(processors * each);
}

static void run(const void *problem)
{
    const struct cg *s = (const struct cg *)problem;
    const size_t tiles = tiles_before((s->n + HIGH - 1) / HIGH), needed = (tiles + THREADS / WARP - 1) / (THREADS / WARP);
    const unsigned blocks = needed < places ? (unsigned)needed : places;

    iterate_on_device(s, [=] {
        cg_symmetric<<<blocks, THREADS>>>(s->n, tiles, d_a, d_p, d_q, d_state, d_parts);
        advance_and_turn(s->n, blocks, 0);
    });
}

VARIANT(.idea = "half of A is read: each element serves two rows",
        .base = "cuda_fused",
        .device = &device_gpu,
        .math = MATH_F32,
        .prepare = prepare_symmetric,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
