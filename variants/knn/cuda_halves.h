/*
 * For CUDA variants that score pairs on tensor cores: 1 - q.r as a product of matrices of halves.
 *
 * Each coordinate is the sum of two halves, x = xh + xl, so that q.r takes twelve products of
 * halves, and 1 * 1 is a thirteenth.  Rows of 16 halves, which is what one instruction multiplies:
 *
 *     observation   xh  xh  xl  xl   yh  yh  yl  yl   zh  zh  zl  zl  1  0  0  0
 *     reference    -Xh -Xl -Xh -Xl  -Yh -Yl -Yh -Yl  -Zh -Zl -Zh -Zl  1  0  0  0
 *
 * Error  With u = 2^-24: two float32 unit vectors put q.r off by 18u (cuda_exact.h).  What is left
 *        of a coordinate beside its halves is at most u, so that leaves out 2 sqrt(3) u < 4u.  All
 *        products are exact, and each of 16 additions is as good as float32's, rounded or cut off
 *        (PTX ISA: with .f32, "accumulation of the intermediate values is performed with at least
 *        single precision").  No partial sum exceeds 2 + 2^-9, so each adds 4.01u at most, 65u in
 *        all.  The sum of these is 87u.
 * Near   Where q.r is 15/16 or more, the negative ones among the three products come to 1/32 at
 *        most, as their sizes come to 1 (Cauchy-Schwarz).  So whatever the order no partial sum
 *        reaches 2, each addition adds 2u, and all is 18u + 4u + 32u = 54u.  If the best score is
 *        below 1/16 - 87u, its pair is such a pair, and so is the nearest: the window is 2E = 108u.
 */
#ifndef RUNGS_KNN_CUDA_HALVES_H
#define RUNGS_KNN_CUDA_HALVES_H

#include <cuda_fp16.h>
#include <string.h>

#include "cuda_several.h" /* recent; sweep, CHUNK, PART, place_reference */

static const float near_score = 0.062f, near_window = 0x1.bp-18f, far_window = 0x1.6p-17f;

struct halves {
    __half high, low;
};

__device__ static halves split(float x)
{
    const __half high = __float2half_rn(x);

    return {high, __float2half_rn(x - __half2float(high))};
}

__device__ static uint4 eight(__half a, __half b, __half c, __half d, __half e, __half f, __half g,
                              __half h)
{
    const __half2 pair[4] = {{a, b}, {c, d}, {e, f}, {g, h}};
    uint4 bits;

    memcpy(&bits, pair, sizeof bits);
    return bits;
}

/* Where the first 16 bytes of row p are, in 16 bytes; the others are 8 further: matrices consist of
   pieces of 8 rows by 16 bytes, two side by side. */
__device__ static unsigned piece(unsigned p)
{
    return p / 8 * 16 + p % 8;
}

__device__ static void put_observation(uint4 *rows, unsigned p, float4 unit)
{
    const halves x = split(unit.x), y = split(unit.y), z = split(unit.z);

    rows[piece(p)] = eight(x.high, x.high, x.low, x.low, y.high, y.high, y.low, y.low);
    rows[piece(p) + 8] = eight(z.high, z.high, z.low, z.low, 1.0f, 0.0f, 0.0f, 0.0f);
}

/* One that is not there scores 4, more than any. */
__device__ static void put_reference(uint4 *rows, unsigned p, float4 unit, bool there)
{
    if (!there)
        unit = make_float4(0, 0, 0, 0);

    const halves x = split(-unit.x), y = split(-unit.y), z = split(-unit.z);

    rows[piece(p)] = eight(x.high, x.low, x.high, x.low, y.high, y.low, y.high, y.low);
    rows[piece(p) + 8] = eight(z.high, z.low, z.high, z.low, there ? 1.0f : 4.0f, 0.0f, 0.0f, 0.0f);
}

/* Which tile a thread has of a chunk.  If k > 1, those of TURN chunks are neighbours: it writes
   their scores together. */
__device__ static unsigned tile_of(sweep s, unsigned chunk, unsigned quarter)
{
    return s.k == 1 ? chunk * QUARTERS + quarter
                    : chunk / TURN * (TURN * QUARTERS) + quarter * TURN + chunk % TURN;
}

/* References in order as unit vectors, and as rows of halves by columns of a chunk's product.  A
   thread gets the sums of every fourth pair of columns: these are the references of a tile. */
__global__ static void knn_halves(sweep s, uint4 *rows)
{
    const unsigned p = threadIdx.x, chunk = blockIdx.x;
    const size_t j = (size_t)tile_of(s, chunk, p % 8 / 2) * PART + p / 8 * 2 + p % 2;

    begin(s);
    put_reference(rows + (size_t)chunk * CHUNK * 2, p, place_reference(s, j), j < s.ref.count);
}

__device__ static float window_of(int score)
{
    return __int_as_float(score) < near_score ? near_window : far_window;
}

/* Of each four threads all have the same rows, and each a quarter of the references: the first row,
   the one 8 further down, these two of the next product, ROWS further down, and so on.  Here is
   what they do after each chunk and in the end.  (They are one array in one dimension: of an array
   of arrays, nvcc 13.0 lets the first alone begin as the structure says.)  If of a row the nearest
   tile is kept: it is written down in the middle, and they begin anew; */
template <int ROWS, int EACH>
__device__ static void keep(sweep s, size_t first, unsigned chunk, nearest (&best)[EACH])
{
    if (chunk + 1 != s.middle)
        return;
#pragma unroll
    for (int r = 0; r < EACH; r++) {
        const size_t i = first + r / 2 * ROWS + r % 2 * 8;

        set_aside(&s.earlier[i * QUARTERS + threadIdx.x % QUARTERS], &best[r],
                  window_of(best[r].score));
    }
}

/* each of the four says for its quarter. */
template <int ROWS, int EACH>
__device__ static void finish(sweep s, points obs, size_t first, const nearest (&best)[EACH])
{
#pragma unroll
    for (int r = 0; r < EACH; r++) {
        const size_t i = first + r / 2 * ROWS + r % 2 * 8;
        const nearest mine = best[r];
        const uint2 before = s.earlier[i * QUARTERS + threadIdx.x % QUARTERS];
        int least = min(mine.score, (int)before.x);

        least = min(least, __shfl_xor_sync(all_lanes, least, 1));
        least = min(least, __shfl_xor_sync(all_lanes, least, 2));
        if (i < obs.count) {
            unsigned *const found = (unsigned *)&s.found[2 * i] + threadIdx.x % QUARTERS;

            found[0] = recall(before, least, window_of(least));
            found[QUARTERS] = verdict(mine, least, window_of(least));
        }
    }
}

/* And if the scores of all tiles are kept: each fourth time they are written down, */
template <int ROWS, int EACH>
__device__ static void keep(sweep s, size_t first, unsigned chunk, const recent (&tiles)[EACH])
{
    unsigned long long *const least =
        scores_of(s, first) + (chunk / TURN * QUARTERS + threadIdx.x % QUARTERS) * WARP;

    if (chunk % TURN != TURN - 1)
        return;
#pragma unroll
    for (int r = 0; r < EACH; r++) {
        const unsigned below = r / 2 * ROWS + r % 2 * 8; /* first % WARP is small: no carry */

        least[below / WARP * (size_t)(s.chunks * WARP) + below % WARP] = tiles[r].four;
    }
}

/* and that is all. */
template <int ROWS, int EACH>
__device__ static void finish(sweep, points, size_t, const recent (&)[EACH])
{
}

static void settle_halves(sweep s, points obs, cudaStream_t stream)
{
    settle_several(s, obs, {near_score, near_window, far_window}, stream);
}

#endif
