/*
 * For CUDA variants that sweep over all references with a cheap score and keep of each observation
 * only which tile holds the best one.  Here is what a sweep is given, what it leaves, and what a
 * score is; who is nearest in the end, cuda_settle.h finds out.  (If more than one is asked for:
 * cuda_minima.h.)
 *
 * Score    1 - q.r for the unit vectors of an observation and a reference: 0 when they are at the
 *          same place, 2 at the antipode.  A sweep's scores may be off by its own E.
 * Window   If some score is s, the nearest has a cosine distance of at most s + E, and so a score
 *          of at most s + 2E.
 * Order    Scores are compared as integers, for which there is a minimum of three: of floats that
 *          are not negative, the bits rise with the value.  Rounding may make a score negative, by
 *          E at most; then a minimum may take another negative one, which is in the window as well.
 */
#ifndef RUNGS_KNN_CUDA_SWEEP_H
#define RUNGS_KNN_CUDA_SWEEP_H

#include "common/cuda.h"
#include "cuda_exact.h" /* unit_vector, WARP, all_lanes */

/* References come in chunks, made up with some that are not there; of each four tiles, one to a
   quarter of all references.  A tile's references are neighbours in memory. */
enum { CHUNK = 256, QUARTERS = 4, PART = CHUNK / QUARTERS };
enum { TURN = 4 };    /* chunks after which the scores of their tiles are written */
enum { SPARE = 512 }; /* observations of a sweep's block, at most */

static const size_t scores_at_once = (size_t)1 << 30; /* 2 GiB of them */
static const int farthest = 0x7fffffff; /* as a score */

/* Of an eighth: no tile reaches into the window; or the best one, and others do, too. */
static const unsigned NOWHERE = 0xffffffff, CROWDED = 0x80000000;

struct points { /* on the device; the answers only of observations */
    size_t count;
    const float *lat, *lon;
    uint32_t *index;
    float *distance;
};

struct alignas(16) place { /* all that the haversine formula needs: one load */
    float lat, lon;
    double cosine; /* of the latitude */
};

struct sweep {
    points ref;
    unsigned chunks; /* if k > 1, a multiple of TURN */
    float *unit;     /* [tiles][3][PART] unit vectors: x of all in a tile, y, z: one address for all
                        that a thread reads there; NaN where there is none, as is its score: no
                        comparison lets it through, and no other bits are more */
    unsigned middle; /* the chunk at which a sweep begins anew, so that eighths of all references
                        tell for themselves: of a crowded one, half as much is read again; or 0 */
    uint2 *earlier;  /* [observations + SPARE][QUARTERS] what it had found by then: the best
                        score, and the best tile, CROWDED or not */
    uint4 *found;    /* [observations][2] for each eighth the best tile, CROWDED or not, or NOWHERE:
                        the quarters before the middle, and those from there on */
    unsigned *doubt; /* [1 + observations] how many, and which: one look does not answer them */
    unsigned *many;  /* [1 + observations] ... and so does another one not */

    /* For k > 1, instead of found[]: */
    unsigned k;
    size_t pass;      /* observations at once; if k is 1, all of them */
    place *places;    /* [references] */
    unsigned long long *least; /* [(pass + SPARE) / WARP + 1][chunks][WARP] an observation's best
                         scores of TURN tiles, the upper half of each: side by side is what the
                         lanes of a warp read, an observation each.  A sweep's blocks come whole,
                         and write as if all were there */
};

static sweep sweep_new(size_t observations, size_t references, size_t k)
{
    const size_t whole = k > 1 ? TURN * CHUNK : CHUNK;
    sweep s = {};

    s.k = (unsigned)k;
    s.chunks = (unsigned)((references + whole - 1) / whole * whole / CHUNK);
    s.middle = (s.chunks + 1) / 2;
    s.pass = observations;
    CUDA(cudaMalloc(&s.unit, s.chunks * CHUNK * 3 * sizeof *s.unit));
    if (k == 1) {
        CUDA(cudaMalloc(&s.found, observations * 2 * sizeof *s.found));
        CUDA(cudaMalloc(&s.earlier, (observations + SPARE) * QUARTERS * sizeof *s.earlier));
        CUDA(cudaMalloc(&s.many, (1 + observations) * sizeof *s.many));
    } else {
        s.pass = min(observations, scores_at_once / (s.chunks * QUARTERS));
        CUDA(cudaMalloc(&s.places, references * sizeof *s.places));
        CUDA(cudaMalloc(&s.least, (s.pass + WARP + SPARE) * s.chunks * sizeof *s.least));
    }
    CUDA(cudaMalloc(&s.doubt, (1 + s.pass) * sizeof *s.doubt));
    return s;
}

static void sweep_free(sweep s)
{
    CUDA(cudaFree(s.unit));
    CUDA(cudaFree(s.found));
    CUDA(cudaFree(s.earlier));
    CUDA(cudaFree(s.doubt));
    CUDA(cudaFree(s.many));
    CUDA(cudaFree(s.places));
    CUDA(cudaFree(s.least));
}

static unsigned blocks_of(size_t points, size_t of_a_block)
{
    return (unsigned)((points + of_a_block - 1) / of_a_block);
}

/* Of all observations those of one pass, from i on */
static points pass_of(sweep s, points all, size_t i)
{
    const size_t count = min(all.count - i, s.pass);

    return {count, all.lat + i, all.lon + i, all.index + i * s.k, all.distance + i * s.k};
}

/* --- before and in the sweep ------------------------------------------------------------------ */

/* The x of reference j; y and z are PART and 2 * PART further. */
__device__ static float *unit_of(sweep s, size_t j)
{
    return s.unit + j / PART * (3 * PART) + j % PART;
}

__device__ static float4 place_reference(sweep s, size_t j)
{
    float4 at = make_float4(NAN, NAN, NAN, 0);
    float *const unit = unit_of(s, j);

    if (j < s.ref.count)
        at = unit_vector(s.ref.lat[j], s.ref.lon[j]);
    unit[0] = at.x;
    unit[PART] = at.y;
    unit[2 * PART] = at.z;
    if (s.places != NULL && j < s.ref.count)
        s.places[j] = {s.ref.lat[j], s.ref.lon[j], cos((double)s.ref.lat[j])};
    return at;
}

/* Before the sweep: no doubts yet. */
__device__ static void begin(sweep s)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        s.doubt[0] = 0;
        if (s.k == 1)
            s.many[0] = 0;
    }
}

struct nearest { /* of a quarter, so far */
    int score = farthest, next = farthest; /* of the best tile, and of the next best, as bits */
    unsigned tile = 0;
};

__device__ static void note(nearest *best, int score, unsigned tile)
{
    bool nearer;

    best->next = min(best->next, max(best->score, score));
    best->score = __vibmin_s32(score, best->score, &nearer);
    if (nearer)
        best->tile = tile;
}

/* What goes into found[], if `least` is the best score of all quarters. */
__device__ static unsigned verdict(nearest best, int least, float sweep_window)
{
    const float limit = __int_as_float(least) + sweep_window;

    if (!(__int_as_float(best.score) <= limit))
        return NOWHERE;
    return best.tile | (__int_as_float(best.next) <= limit ? CROWDED : 0);
}

/* In the middle: what a quarter has so far is written down, and it begins anew. */
__device__ static void set_aside(uint2 *earlier, nearest *best, float sweep_window)
{
    *earlier = make_uint2((unsigned)best->score, verdict(*best, best->score, sweep_window));
    *best = nearest();
}

/* verdict() of what was set aside.  CROWDED is what was crowded by all that was known then, its own
   best score, so that a few are which would not be any more. */
__device__ static unsigned recall(uint2 earlier, int least, float sweep_window)
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
    return score(at, unit[0], unit[PART], unit[2 * PART]);
}

__device__ static float4 scores_of_four(sweep s, float4 at, size_t j)
{
    const float *const unit = unit_of(s, j);
    const float4 x = *(const float4 *)unit, y = *(const float4 *)(unit + PART),
                 z = *(const float4 *)(unit + 2 * PART);

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
