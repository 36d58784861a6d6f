/*
 * For CUDA variants that score all pairs cheaply (the sweep) and keep, of each observation, only which
 * tile of 64 references has the best score.  Afterwards cuda_refine.h scores that tile again and finds
 * the reference.  This header has the data that a sweep reads and leaves, and the score itself.
 *
 *     references   |        first half          |        second half         |
 *     chunks       | 0 | 1 | ... | middle - 1   | middle | ...               |
 *     a chunk      = 4 tiles of 64 neighbouring references; tile 4c + q belongs to quarter q
 *     an "eighth"  = quarter q of one half: for each, found[] has the best tile
 *
 * Score    1 - q.r for unit vectors q of an observation and r of a reference: 0 at the same place, 2 at
 *          the antipode.  A sweep may be off by its own E; if some score is s, the nearest reference
 *          scores at most s + 2E (docs/knn-exactness.md, "The window").
 * Order    Scores are compared as integers, because there is an instruction for the minimum of three
 *          integers.  The bits of non-negative floats are in the order of their values.  Rounding can
 *          make a score negative, by E at most; then the minimum may take another negative score, which
 *          is within the window as well.
 */
#ifndef RUNGS_KNN_CUDA_SWEEP_H
#define RUNGS_KNN_CUDA_SWEEP_H

#include "common/cuda.h"
#include "cuda_exact.h" /* unit_vector, WARP, all_lanes */

enum { CHUNK = 256, QUARTERS = 4, TILE = CHUNK / QUARTERS };
enum { SPARE = 512 };                   /* observations of a sweep's block, at most */
static const int farthest = 0x7fffffff; /* as a score */

/* Entries of found[]: no tile of this eighth is a candidate; several are (a bit beside the best). */
static const unsigned NOWHERE = 0xffffffff, CROWDED = 0x80000000;

struct points { /* on the device; only observations have answers */
    size_t count;
    const float *lat, *lon;
    uint32_t *index;
    float *distance;
};

struct sweep { /* what every sweep reads */
    points ref;
    unsigned chunks; /* the last one is padded */
    float *unit;     /* [tiles][3][TILE] unit vectors: x of a whole tile, then y, then z, so that a
                        thread needs one address for all three.  Padding is NaN, whose score passes no
                        comparison; as an integer it is above all others */
};

/* Of one quarter, while the sweep runs: bits of the best score and of the next best tile's */
struct best_tile {
    int score = farthest, next = farthest;
    unsigned tile = 0;
};

struct nearest_sweep : sweep { /* for k = 1: what it leaves besides */
    using kept = best_tile;

    unsigned middle; /* the chunk at which the second half begins; 0: there is no first half.  Halves,
                        because of a crowded eighth all tiles are scored again */
    uint2 *earlier;  /* [observations + SPARE][QUARTERS] of the first half: best score, found entry */
    uint4 *found;    /* [observations][2] a found entry for each eighth: first half, second half */
    unsigned *doubt; /* [1 + observations] how many, and which: the first look does not answer them */
    unsigned *many;  /* [1 + observations] the same of the second look: many candidates are left */
};

[[maybe_unused]] static nearest_sweep nearest_new(size_t observations, size_t references)
{
    nearest_sweep s = {};

    s.chunks = (unsigned)((references + CHUNK - 1) / CHUNK);
    s.middle = (s.chunks + 1) / 2;
    CUDA(cudaMalloc(&s.unit, (size_t)s.chunks * CHUNK * 3 * sizeof *s.unit));
    CUDA(cudaMalloc(&s.found, observations * 2 * sizeof *s.found));
    CUDA(cudaMalloc(&s.earlier, (observations + SPARE) * QUARTERS * sizeof *s.earlier));
    CUDA(cudaMalloc(&s.doubt, (1 + observations) * sizeof *s.doubt));
    CUDA(cudaMalloc(&s.many, (1 + observations) * sizeof *s.many));
    return s;
}

[[maybe_unused]] static void nearest_free(nearest_sweep s)
{
    CUDA(cudaFree(s.unit));
    CUDA(cudaFree(s.found));
    CUDA(cudaFree(s.earlier));
    CUDA(cudaFree(s.doubt));
    CUDA(cudaFree(s.many));
}

static unsigned blocks_of(size_t points, size_t of_a_block)
{
    return (unsigned)((points + of_a_block - 1) / of_a_block);
}

/* --- before the sweep ------------------------------------------------------------------------- */

/* The x of reference j; y and z are TILE and 2 * TILE further.  (A template, because nvcc 13.0 makes a little
   more code of the caller where an argument is converted to `sweep`.) */
template <class SWEEP> __device__ static float *unit_of(SWEEP s, size_t j)
{
    return s.unit + j / TILE * (3 * TILE) + j % TILE;
}

__device__ static float4 place_reference(sweep s, size_t j)
{
    float4 at = make_float4(NAN, NAN, NAN, 0);
    float *const unit = unit_of(s, j);

    if (j < s.ref.count)
        at = unit_vector(s.ref.lat[j], s.ref.lon[j]);
    unit[0] = at.x;
    unit[TILE] = at.y;
    unit[2 * TILE] = at.z;
    return at;
}

__device__ static void begin(nearest_sweep s)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        s.doubt[0] = s.many[0] = 0;
}

__device__ static unsigned tile_of(sweep, unsigned chunk, unsigned quarter)
{
    return chunk * QUARTERS + quarter;
}

/* --- in the sweep ----------------------------------------------------------------------------- */

/* Takes the best score of one more tile into account. */
__device__ static void keep_best(best_tile *best, int score, unsigned tile)
{
    bool nearer;

    best->next = min(best->next, max(best->score, score));
    best->score = __vibmin_s32(score, best->score, &nearer);
    if (nearer)
        best->tile = tile;
}

/* The entry of found[] for this eighth, where `least` is the best score of all quarters. */
__device__ static unsigned found_entry(best_tile best, int least, float sweep_window)
{
    const float limit = __int_as_float(least) + sweep_window;

    if (!(__int_as_float(best.score) <= limit))
        return NOWHERE;
    return best.tile | (__int_as_float(best.next) <= limit ? CROWDED : 0);
}

/* In the middle of the sweep: writes down the first half of a quarter, and starts the second. */
__device__ static void write_first_half(uint2 *earlier, best_tile *best, float sweep_window)
{
    *earlier = make_uint2((unsigned)best->score, found_entry(*best, best->score, sweep_window));
    *best = best_tile();
}

/* The entry of found[] for the first half.  CROWDED was set by the best score of that time, the
   quarter's own, so it is set in a few cases where it is no longer needed. */
__device__ static unsigned first_half_entry(uint2 earlier, int least, float sweep_window)
{
    const float limit = __int_as_float(least) + sweep_window;

    return __int_as_float((int)earlier.x) <= limit ? earlier.y : NOWHERE;
}

/* --- scores, once more, in float32 ------------------------------------------------------------- */

enum { FOUR = 4 }; /* references at once */

__device__ static float score(float4 at, float x, float y, float z)
{
    return 1 - at.x * x - at.y * y - at.z * z;
}

__device__ static float score_at(float4 at, const float *unit)
{
    return score(at, unit[0], unit[TILE], unit[2 * TILE]);
}

__device__ static float4 scores_of_four(sweep s, float4 at, size_t j)
{
    const float *const unit = unit_of(s, j);
    const float4 x = *(const float4 *)unit, y = *(const float4 *)(unit + TILE),
                 z = *(const float4 *)(unit + 2 * TILE);

    return make_float4(score(at, x.x, y.x, z.x), score(at, x.y, y.y, z.y),
                       score(at, x.z, y.z, z.z), score(at, x.w, y.w, z.w));
}

/* Which of them are at most `limit`: a bit each */
__device__ static unsigned near_of(float4 scores, float limit)
{
    return (scores.x <= limit) | (scores.y <= limit) << 1 | (scores.z <= limit) << 2 |
           (scores.w <= limit) << 3;
}

__device__ static unsigned near_four(sweep s, float4 at, size_t j, float limit)
{
    return near_of(scores_of_four(s, at, j), limit);
}

#endif
