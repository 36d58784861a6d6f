/*
 * For CUDA rungs that score pairs on tensor cores and yet name the neighbour that float64 names.
 *
 * Score    1 - q.r for the unit vectors of an observation and a reference: 0 when they are at the
 *          same place, 2 at the antipode.  As a product of matrices: each coordinate is the sum of two
 *          halves, x = xh + xl, so that q.r takes twelve products of halves, and 1 * 1 a thirteenth.
 *          Rows of 16 halves, which is what one instruction multiplies:
 *              observation   xh  xh  xl  xl   yh  yh  yl  yl   zh  zh  zl  zl  1  0  0  0
 *              reference    -Xh -Xl -Xh -Xl  -Yh -Yl -Yh -Yl  -Zh -Zl -Zh -Zl  1  0  0  0
 * Error    With u = 2^-24: two float32 unit vectors put q.r off by 18u (cuda_exact.h).  What is left
 *          of a coordinate beside its halves is at most u, so that leaves out 2 sqrt(3) u = 4u.  All
 *          products are exact, and each of 16 additions is as good as float32's, rounded or cut
 *          off (PTX ISA, "mma": with .f32 "accumulation is performed with at least single
 *          precision"): no partial sum exceeds 2 + 2^-9, so each adds 4.01u at most, 65u in all.
 *          The sum of these is 87u.  We use E = 88u.
 * Window   If some score is s, the nearest has a cosine distance of at most s + E, and so a score of
 *          at most s + 2E.  Tiles of references with such scores are looked at again.
 * Order    Scores are compared as integers, for which there is a minimum of three: of floats that are
 *          not negative, the bits rise with the value.  Rounding may make a score negative, by E at
 *          most; then a minimum may take another negative one, which is in the window as well.
 */
#ifndef RUNGS_KNN_CUDA_HALVES_H
#define RUNGS_KNN_CUDA_HALVES_H

#include <cuda_fp16.h>
#include <cuda_pipeline.h> /* __pipeline_memcpy_async and its kin */

#include "cuda_exact.h" /* unit_vector, haversine, window */

/* References come in chunks of CHUNK, columns of a product.  A thread gets the scores of every fourth
   pair of columns: the 64 references of a TILE64, which are neighbours in memory. */
enum { CHUNK = 256, QUARTERS = 4, PART = CHUNK / QUARTERS };
static const float halves_window = 0x1.6p-17f; /* 2E */

/* What the sweep over all references leaves of an observation and a quarter of them: which tile is the
   best, if that reaches into the window, and whether others do. */
static const unsigned NOWHERE = 0xffffffff, CROWDED = 0x80000000;

/* Which reference is column p of a chunk */
__device__ static size_t column(size_t chunk, unsigned p)
{
    return chunk * CHUNK + p % 8 / 2 * PART + p / 8 * 2 + p % 2;
}

__device__ static uint4 row_of(__half a, __half b, __half c, __half d, __half e, __half f, __half g,
                               __half h)
{
    const __half2 pair[4] = {{a, b}, {c, d}, {e, f}, {g, h}};
    uint4 row;

    memcpy(&row, pair, sizeof row);
    return row;
}

struct halves {
    __half high, low;
};

__device__ static halves split(float x)
{
    const __half high = __float2half_rn(x);

    return {high, __float2half_rn(x - __half2float(high))};
}

/* Where the first 16 bytes of row p are, in 16 bytes; the others are 8 further.  Pieces of 8 rows by
   16 bytes are what the instruction takes, two side by side. */
__device__ static unsigned piece(unsigned p)
{
    return p / 8 * 16 + p % 8;
}

__device__ static void put_observation(uint4 *rows, unsigned p, float4 unit)
{
    const halves x = split(unit.x), y = split(unit.y), z = split(unit.z);

    rows[piece(p)] = row_of(x.high, x.high, x.low, x.low, y.high, y.high, y.low, y.low);
    rows[piece(p) + 8] = row_of(z.high, z.high, z.low, z.low, 1.0f, 0.0f, 0.0f, 0.0f);
}

/* A reference that is not there scores 4, more than any. */
__device__ static void put_reference(uint4 *rows, unsigned p, float4 unit)
{
    const halves x = split(-unit.x), y = split(-unit.y), z = split(-unit.z);

    rows[piece(p)] = row_of(x.high, x.low, x.high, x.low, y.high, y.low, y.high, y.low);
    rows[piece(p) + 8] = row_of(z.high, z.low, z.high, z.low, unit.w, 0.0f, 0.0f, 0.0f);
}

struct doubts { /* observations that one look does not answer */
    unsigned *count, *list;
};

/* References as unit vectors, in order, and as rows of halves, by columns. */
__global__ static void knn_references(size_t n, const float *lat, const float *lon, float4 *unit,
                                      uint4 *rows, doubts doubt)
{
    const size_t chunk = blockIdx.x;
    const size_t j = column(chunk, threadIdx.x);
    float4 at = make_float4(0, 0, 0, 4);

    if (j < n) {
        at = unit_vector(lat[j], lon[j]);
        at.w = 1;
    }
    if (j == 0)
        *doubt.count = 0;
    unit[j] = at;
    put_reference(rows + chunk * CHUNK * 2, threadIdx.x, at);
}

struct nearest { /* of a quarter of the references, so far */
    int score, next; /* of the best tile, and of the next best, as bits */
    unsigned tile;
};

__device__ static void note(nearest *best, int score, unsigned tile)
{
    bool nearer;

    best->next = min(best->next, max(best->score, score));
    best->score = __vibmin_s32(score, best->score, &nearer);
    if (nearer)
        best->tile = tile;
}

/* What the four threads of an observation have found, one of them says for its quarter. */
__device__ static unsigned verdict(nearest best)
{
    int score = min(best.score, __shfl_xor_sync(all_lanes, best.score, 1));

    score = min(score, __shfl_xor_sync(all_lanes, score, 2));

    const float limit = __int_as_float(score) + halves_window;

    if (!(__int_as_float(best.score) <= limit))
        return NOWHERE;
    return best.tile | (__int_as_float(best.next) <= limit ? CROWDED : 0);
}

/* --- after the sweep -------------------------------------------------------------------------- */

__device__ static float score(float4 at, float4 unit)
{
    return unit.w - at.x * unit.x - at.y * unit.y - at.z * unit.z;
}

/* In float32: where there is no doubt who is nearest, this is how far. */
__device__ static float plain_haversine(float lat1, float lon1, float lat2, float lon2)
{
    const float sin_lat = sinf((lat2 - lat1) / 2), sin_lon = sinf((lon2 - lon1) / 2);
    const float h = sin_lat * sin_lat + cosf(lat1) * cosf(lat2) * (sin_lon * sin_lon);

    return 2 * asinf(sqrtf(fminf(h, 1)));
}

enum { ANSWER = 128 };       /* threads */
enum { SETTLE = 132 * 16 };  /* blocks */

/* Of most observations one tile alone is in question, and one reference of it is clearly nearest. */
__global__ static void __launch_bounds__(ANSWER)
    knn_answer(size_t m, references ref, const float *obs_lat, const float *obs_lon,
               const uint4 *found, doubts doubt, uint32_t *index, float *distance)
{
    __shared__ float4 asks[ANSWER];
    const size_t i = (size_t)blockIdx.x * ANSWER + threadIdx.x;
    const unsigned lane = threadIdx.x % WARP, first = threadIdx.x - lane;
    const uint4 in = i < m ? found[i] : make_uint4(NOWHERE, NOWHERE, NOWHERE, NOWHERE);
    const unsigned tile = min(min(in.x, in.y), min(in.z, in.w)); /* NOWHERE is more than any */
    const bool one = tile < CROWDED && (in.x == NOWHERE) + (in.y == NOWHERE) + (in.z == NOWHERE) + (in.w == NOWHERE) == 3;
    const float lat = i < m ? obs_lat[i] : 0, lon = i < m ? obs_lon[i] : 0;
    unsigned low = 0, high = 0;

    asks[threadIdx.x] = unit_vector(lat, lon);
    asks[threadIdx.x].w = __uint_as_float(one ? tile * PART : 0);
    __syncwarp();
#pragma unroll 4
    for (unsigned who = 0; who < WARP; who++) {
        const float4 at = asks[first + who];
        const float4 *part = ref.unit + __float_as_uint(at.w) + lane;
        const float a = score(at, part[0]), b = score(at, part[WARP]);
        const int best = __reduce_min_sync(all_lanes, min(__float_as_int(a), __float_as_int(b)));
        const float limit = __int_as_float(best) + window;
        const unsigned in_a = __ballot_sync(all_lanes, a <= limit);
        const unsigned in_b = __ballot_sync(all_lanes, b <= limit);

        if (lane == who)
            low = in_a, high = in_b;
    }
    if (i >= m)
        return;
    if (!one || __popc(low) + __popc(high) != 1) {
        doubt.list[atomicAdd(doubt.count, 1)] = (unsigned)i;
        return;
    }

    const unsigned j = tile * PART + (low != 0 ? __ffs(low) - 1 : WARP + __ffs(high) - 1);

    index[i] = j;
    distance[i] = plain_haversine(lat, lon, ref.lat[j], ref.lon[j]);
}

/* Nearest by float64, and of equal distances the first. */
__device__ static void nearer(float lat, float lon, references ref, unsigned j, double *least,
                              unsigned *who)
{
    const double d = haversine(lat, lon, ref.lat[j], ref.lon[j]);

    if (d < *least || (d == *least && j < *who)) {
        *least = d;
        *who = j;
    }
}

enum { SOME = 3 }; /* candidates that knn_decide takes */

/* A warp each: all tiles in question, which are all of a crowded quarter.  Leaves the candidates in
   found[i], how many and which; more than SOME it decides on itself. */
__global__ static void __launch_bounds__(ANSWER)
    knn_settle(unsigned chunks, references ref, const float *obs_lat, const float *obs_lon,
               uint4 *found, doubts doubt, uint32_t *index, float *distance)
{
    const unsigned lane = threadIdx.x % WARP, warps = gridDim.x * (ANSWER / WARP);

    for (unsigned d = (blockIdx.x * ANSWER + threadIdx.x) / WARP; d < *doubt.count; d += warps) {
        const size_t i = doubt.list[d];
        const uint4 in = found[i];
        const unsigned where[QUARTERS] = {in.x, in.y, in.z, in.w};
        const float lat = obs_lat[i], lon = obs_lon[i];
        const float4 at = unit_vector(lat, lon);
        unsigned candidate[SOME] = {}, count = 0;
        int best = 0x7fffffff;

#pragma unroll
        for (unsigned q = 0; q < QUARTERS; q++) {
            const unsigned j = (where[q] & ~CROWDED) * PART + lane;

            if (where[q] != NOWHERE)
                best = __vimin3_s32(best, __float_as_int(score(at, ref.unit[j])),
                                    __float_as_int(score(at, ref.unit[j + WARP])));
        }

        const float limit = __int_as_float(__reduce_min_sync(all_lanes, best)) + window;
        double least = INFINITY;
        unsigned who = 0;

        for (int pass = 0; pass < 2; pass++) { /* the second only if there is no room for all */
            count = 0;
            for (unsigned q = 0; q < QUARTERS; q++) {
                const bool crowded = where[q] != NOWHERE && where[q] >= CROWDED;
                unsigned tile = crowded ? q : where[q];
                const unsigned end = where[q] == NOWHERE ? 0 : crowded ? chunks * QUARTERS : tile + 1;

#pragma unroll 4
                for (; tile < end; tile += QUARTERS)
#pragma unroll
                    for (unsigned half = 0; half < PART; half += WARP) {
                        const unsigned first = tile * PART + half;
                        const bool near = score(at, ref.unit[first + lane]) <= limit;
                        unsigned all = __ballot_sync(all_lanes, near);

                        if (all == 0)
                            continue;
                        if (pass == 1 && near)
                            nearer(lat, lon, ref, first + lane, &least, &who);
                        for (; all != 0; all &= all - 1, count++)
#pragma unroll
                            for (unsigned c = 0; c < SOME; c++)
                                if (c == count)
                                    candidate[c] = first + __ffs(all) - 1;
                    }
            }
            if (count <= SOME)
                break;
        }
        for (unsigned step = WARP / 2; count > SOME && step > 0; step /= 2) {
            const double far = __shfl_xor_sync(all_lanes, least, step);
            const unsigned j = __shfl_xor_sync(all_lanes, who, step);

            if (far < least || (far == least && j < who)) {
                least = far;
                who = j;
            }
        }
        if (lane != 0)
            continue;
        found[i] = make_uint4(count <= SOME ? count : 0, candidate[0], candidate[1], candidate[2]);
        if (count > SOME) {
            index[i] = who;
            distance[i] = (float)least;
        }
    }
}

__global__ static void __launch_bounds__(ANSWER)
    knn_decide(references ref, const float *obs_lat, const float *obs_lon, const uint4 *found,
               doubts doubt, uint32_t *index, float *distance)
{
    for (unsigned d = blockIdx.x * ANSWER + threadIdx.x; d < *doubt.count; d += gridDim.x * ANSWER) {
        const size_t i = doubt.list[d];
        const uint4 candidate = found[i];
        const float lat = obs_lat[i], lon = obs_lon[i];
        double least = INFINITY;
        unsigned who = candidate.y;

        if (candidate.x == 1)
            least = plain_haversine(lat, lon, ref.lat[who], ref.lon[who]);
        if (candidate.x > 1)
            nearer(lat, lon, ref, candidate.y, &least, &who);
        if (candidate.x > 1)
            nearer(lat, lon, ref, candidate.z, &least, &who);
        if (candidate.x > 2)
            nearer(lat, lon, ref, candidate.w, &least, &who);
        if (candidate.x > 0) {
            index[i] = who;
            distance[i] = (float)least;
        }
    }
}

#endif
