/*
 * For CUDA variants that score pairs on tensor cores: 1 - q.r as a product of matrices of halves
 * (16-bit floats), added up in float32.
 *
 * Each coordinate is the sum of two halves, x = xh + xl, so that q.r takes twelve products of halves.
 * 1 * 1 is a thirteenth.  One instruction multiplies rows of 16:
 *
 *     observation   xh  xh  xl  xl   yh  yh  yl  yl   zh  zh  zl  zl  1  0  0  0
 *     reference    -Xh -Xl -Xh -Xl  -Yh -Yl -Yh -Yl  -Zh -Zl -Zh -Zl  1  0  0  0
 *
 * Which lane gets which sums, of 16 rows (observations) by 8 columns (references):
 *
 *     columns         0 1     2 3     4 5     6 7
 *     rows 0 and 8    lane 0  lane 1  lane 2  lane 3
 *     rows 1 and 9    lane 4  lane 5  lane 6  lane 7
 *     ...
 *     rows 7 and 15   lane 28 lane 29 lane 30 lane 31
 *
 * So four lanes share two rows, and each of them has every fourth pair of columns.  The references of a
 * chunk are ordered such that these columns are one tile, 64 neighbours in memory.
 *
 * Error  A score is within E = 88u of the cosine distance (u = 2^-24); where the best score is below near_score,
 *        within 54u, and the window is narrower (docs/knn-exactness.md, "GPU: sums of halves").
 */
#ifndef RUNGS_KNN_CUDA_HALVES_H
#define RUNGS_KNN_CUDA_HALVES_H

#include <cuda_fp16.h>
#include <string.h>

#include "cuda_sweep.h" /* nearest_sweep, best_tile, CHUNK, TILE, place_reference */

static const float near_score = 0.062f, near_window = 0x1.bp-18f, far_window = 0x1.6p-17f; /* 2E */

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

/* Where the first 16 bytes of row p are, in units of 16 bytes; its other 16 are 8 further.  The tensor
   cores read matrices in pieces of 8 rows by 16 bytes. */
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

/* Padding scores 4, more than any reference. */
__device__ static void put_reference(uint4 *rows, unsigned p, float4 unit, bool there)
{
    if (!there)
        unit = make_float4(0, 0, 0, 0);

    const halves x = split(-unit.x), y = split(-unit.y), z = split(-unit.z);

    rows[piece(p)] = eight(x.high, x.low, x.high, x.low, y.high, y.low, y.high, y.low);
    rows[piece(p) + 8] = eight(z.high, z.low, z.high, z.low, there ? 1.0f : 4.0f, 0.0f, 0.0f, 0.0f);
}

/* Writes the references twice: as unit vectors in float32, and as rows of halves, in the order of a
   chunk's columns.  SWEEP is nearest_sweep, or topk_sweep of cuda_topk.h. */
template <class SWEEP> __global__ static void knn_halves(SWEEP s, uint4 *rows)
{
    const unsigned p = threadIdx.x, chunk = blockIdx.x;
    const size_t j = (size_t)tile_of(s, chunk, p % 8 / 2) * TILE + p / 8 * 2 + p % 2;

    begin(s);
    put_reference(rows + (size_t)chunk * CHUNK * 2, p, place_reference(s, j), j < s.ref.count);
}

__device__ static float window_of(int score)
{
    return __int_as_float(score) < near_score ? near_window : far_window;
}

/* A thread's rows, in the next two functions: `first`, the row 8 further down, the same two of the next
   product, which is ROWS further down, and so on.  (best[] has one dimension: of an array of arrays,
   nvcc 13.0 initialises only the first element as the structure says.) */

/* Called after each chunk of the sweep: in the middle, starts the second half. */
template <int ROWS, int EACH>
__device__ static void after_chunk(nearest_sweep s, size_t first, unsigned chunk,
                                   best_tile (&best)[EACH])
{
    if (chunk + 1 != s.middle)
        return;
#pragma unroll
    for (int r = 0; r < EACH; r++) {
        const size_t i = first + r / 2 * ROWS + r % 2 * 8;

        write_first_half(&s.earlier[i * QUARTERS + threadIdx.x % QUARTERS], &best[r],
                         window_of(best[r].score));
    }
}

/* Called after the sweep: each of the four lanes writes the entries of found[] for its quarter. */
template <int ROWS, int EACH>
__device__ static void after_sweep(nearest_sweep s, points obs, size_t first,
                                   const best_tile (&best)[EACH])
{
#pragma unroll
    for (int r = 0; r < EACH; r++) {
        const size_t i = first + r / 2 * ROWS + r % 2 * 8;
        const best_tile mine = best[r];
        const uint2 before = s.earlier[i * QUARTERS + threadIdx.x % QUARTERS];
        int least = min(mine.score, (int)before.x);

        least = min(least, __shfl_xor_sync(all_lanes, least, 1));
        least = min(least, __shfl_xor_sync(all_lanes, least, 2));
        if (i < obs.count) {
            unsigned *const found = (unsigned *)&s.found[2 * i] + threadIdx.x % QUARTERS;

            found[0] = first_half_entry(before, least, window_of(least));
            found[QUARTERS] = found_entry(mine, least, window_of(least));
        }
    }
}

#endif
