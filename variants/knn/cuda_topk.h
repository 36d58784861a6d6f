/*
 * For CUDA variants that find k neighbours, k <= 32.  This header has what a sweep keeps for them; see
 * cuda_topk.cu for the idea, cuda_topk_limit.h and cuda_topk_select.h for what follows the sweep.
 *
 * Kept     The best score of every tile of 64 references: 16 bits of it, the upper half of a float.  Cut
 *          off like that, a score loses less than 1/128 of itself and never gains.
 * Order    least[] has the scores of 32 observations side by side, because later each lane of a warp
 *          works for one observation:
 *
 *              piece 0:  | obs 0: 4 tiles | obs 1: 4 tiles | ... | obs 31 |   32 x 8 bytes
 *              piece 1:  | obs 0: 4 tiles | ...
 *              ...       a piece has TURN = 4 tiles; there are as many pieces as chunks
 */
#ifndef RUNGS_KNN_CUDA_TOPK_H
#define RUNGS_KNN_CUDA_TOPK_H

#include "cuda_sweep.h" /* sweep, points, place_reference, CHUNK, QUARTERS, TILE, SPARE */

enum { MOST = 32 }; /* neighbours, at most */
enum { TURN = 4 };  /* tiles of a piece; chunks are padded to a multiple */

static const size_t scores_at_once = (size_t)1 << 30; /* 2 GiB of them */

struct alignas(16) place { /* what the haversine formula needs of a reference: one load */
    float lat, lon;
    double cosine; /* of the latitude */
};

/* Best scores of the last four tiles, upper halves; the last one's is highest. */
struct last_four {
    unsigned long long four = 0;
};

struct topk_sweep : sweep {
    using kept = last_four;

    unsigned k;
    size_t pass;               /* observations at once */
    place *places;             /* [references] */
    unsigned long long *least; /* [(pass + SPARE) / WARP + 1][chunks][WARP] as above.  A sweep's blocks
                                  come whole, and write for observations that are not there, too */
    unsigned *crowded;         /* [1 + pass] how many, and which: their candidates found no room */
};

/* 2E of a sweep, where the k-th score is less than near_score, and elsewhere */
struct windows {
    float near_score, near, far;
};

static topk_sweep topk_new(size_t observations, size_t references, size_t k)
{
    const size_t whole = TURN * CHUNK;
    topk_sweep s = {};

    s.k = (unsigned)k;
    s.chunks = (unsigned)((references + whole - 1) / whole * TURN);
    s.pass = min(observations, scores_at_once / (s.chunks * QUARTERS));
    CUDA(cudaMalloc(&s.unit, (size_t)s.chunks * CHUNK * 3 * sizeof *s.unit));
    CUDA(cudaMalloc(&s.places, references * sizeof *s.places));
    CUDA(cudaMalloc(&s.least, (s.pass + WARP + SPARE) * s.chunks * sizeof *s.least));
    CUDA(cudaMalloc(&s.crowded, (1 + s.pass) * sizeof *s.crowded));
    return s;
}

static void topk_free(topk_sweep s)
{
    CUDA(cudaFree(s.unit));
    CUDA(cudaFree(s.places));
    CUDA(cudaFree(s.least));
    CUDA(cudaFree(s.crowded));
}

/* Those of all observations that one pass answers, from i on */
static points pass_of(topk_sweep s, points all, size_t i)
{
    const size_t count = min(all.count - i, s.pass);

    return {count, all.lat + i, all.lon + i, all.index + i * s.k, all.distance + i * s.k};
}

__device__ static void begin(topk_sweep s)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        s.crowded[0] = 0;
}

__device__ static float4 place_reference(topk_sweep s, size_t j)
{
    const float4 at = place_reference((sweep)s, j);

    if (j < s.ref.count)
        s.places[j] = {s.ref.lat[j], s.ref.lon[j], cos((double)s.ref.lat[j])};
    return at;
}

/* Appends the best score of one more tile. */
__device__ static void keep_best(last_four *tiles, int score, unsigned)
{
    tiles->four = tiles->four >> 16 | (unsigned long long)((unsigned)score >> 16) << 48;
}

/* Where the scores of the first piece of observation i are; each next piece is WARP further. */
__device__ static unsigned long long *scores_of(topk_sweep s, size_t i)
{
    return s.least + i / WARP * s.chunks * WARP + i % WARP;
}

#endif
