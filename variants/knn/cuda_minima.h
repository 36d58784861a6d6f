/*
 * For the CUDA variants of cuda_sweep.h when k neighbours are asked for, and not one: the sweep keeps
 * the best score of every tile, 16 bits of it, the upper half of a float.  So it loses less than
 * 1/128 of itself and never gains.  Here is how they are kept, and what they tell:
 *
 * Limit    Of k tiles the best scores are at most s, so k references have a cosine distance of at
 *          most s + E, and so have the k nearest: their scores are at most s + 2E, by the sweep as
 *          well as by float32, whose own E is no larger.  Tiles whose best score is more than that
 *          are out of the question.
 * s        The k-th least of the least of 64 groups of tiles: these are k different tiles.  For
 *          k = 8 and references in no order, it is the ninth or so of all tiles, not the eighth.
 * Lanes    Each has an observation of its own, and in registers a list of the least so far.  So
 *          what lists cost, 16 instructions for two groups, is shared by 32 observations.
 */
#ifndef RUNGS_KNN_CUDA_MINIMA_H
#define RUNGS_KNN_CUDA_MINIMA_H

#include "cuda_settle.h" /* sweep, QUARTERS, TURN */

/* Pieces are TURN tiles each.  The first tiles of every 16th piece are a group, so are the second
   ones, and so on.  As many as a word has bits for are listed at once. */
enum { GROUPS = 64 / TURN, PIECES_OF_REACH = WARP / TURN };

static const int nothing = 0x4100; /* upper half of 8.0: above any score */

struct windows { /* 2E of a sweep, where the k-th score is less than near_score, and elsewhere */
    float near_score, near, far;
};

/* --- in the sweep ----------------------------------------------------------------------------- */

/* Best scores of the last four tiles, the last one's highest: upper halves. */
struct recent {
    unsigned long long four = 0;
};

__device__ static void note(recent *tiles, int score, unsigned)
{
    tiles->four = tiles->four >> 16 | (unsigned long long)((unsigned)score >> 16) << 48;
}

/* Where the scores of an observation's first four tiles are; the next four are WARP further. */
__device__ static unsigned long long *scores_of(sweep s, size_t i)
{
    return s.least + i / WARP * s.chunks * WARP + i % WARP;
}

/* --- after the sweep -------------------------------------------------------------------------- */

/* Puts two numbers into two lists, those of the lower and of the upper halves: in order, the least
   so far. */
template <int LENGTH> __device__ static void put(unsigned (&list)[LENGTH], unsigned two)
{
#pragma unroll
    for (unsigned &kept : list) {
        const unsigned less = __vmins2(kept, two);

        two = __vmaxs2(kept, two);
        kept = less;
    }
}

/* Of the numbers on both lists together, the one that is number LENGTH */
template <int LENGTH> __device__ static int last_of(const unsigned (&list)[LENGTH])
{
    int last = 0; /* what is negative by rounding is within the window of 0 */

#pragma unroll
    for (int r = 0; r < LENGTH; r++)
        last = max(last, min((int)(short)list[r], (int)list[LENGTH - 1 - r] >> 16));
    return last;
}

/* Nobody who is among the k nearest to observation i, k no more than LENGTH, scores more. */
template <int LENGTH> __device__ static float limit_of(sweep s, size_t i, windows w)
{
    const uint2 *const pieces = (const uint2 *)scores_of(s, i);
    unsigned list[LENGTH];

#pragma unroll
    for (unsigned r = 0; r < LENGTH; r++) /* what is more than k is taken by the least there is */
        list[r] = nothing << 16 | (r < LENGTH - s.k ? 0x8000 : nothing);
    for (unsigned group = 0; group < min((unsigned)GROUPS, s.chunks); group += 4) {
        uint2 least[4];

#pragma unroll
        for (unsigned g = 0; g < 4; g++)
            least[g] = __ldcg(&pieces[(group + g) * WARP]);
#pragma unroll 2
        for (unsigned p = group + GROUPS; p < s.chunks; p += GROUPS) {
#pragma unroll
            for (unsigned g = 0; g < 4; g++) {
                const uint2 other = __ldcg(&pieces[(p + g) * WARP]);

                least[g].x = __vmins2(least[g].x, other.x);
                least[g].y = __vmins2(least[g].y, other.y);
            }
        }
#pragma unroll
        for (unsigned g = 0; g < 4; g++) {
            put(list, least[g].x);
            put(list, least[g].y);
        }
    }

    const float above = __int_as_float((last_of(list) + 1) << 16);

    return above + (above < w.near_score ? w.near : w.far);
}

/* Which tiles of the next few pieces, of `left` that there are, may have scores within the limit?
   Of pair t, bit t is the first, and bit 16 + t the second. */
__device__ static unsigned reaching(const unsigned long long *pieces, unsigned left, float limit)
{
    const unsigned bar = ((__float_as_uint(limit) >> 16) + 1) * 0x10001;
    unsigned reach = 0;

#pragma unroll
    for (unsigned t = 0; t < PIECES_OF_REACH; t++) {
        const unsigned long long four = t < left ? __ldcg(&pieces[t * WARP]) : ~0ull;

        /* With the sign bits set, no half borrows. */
        reach |= (~(((unsigned)four | 0x80008000) - bar) & 0x80008000) >> (15 - 2 * t);
        reach |= (~(((unsigned)(four >> 32) | 0x80008000) - bar) & 0x80008000) >> (14 - 2 * t);
    }
    return reach;
}

/* Takes one of them out: how many tiles it is behind the first of those pieces. */
__device__ static unsigned take_one(unsigned *reach)
{
    const unsigned bit = WARP - 1 - __clz((int)*reach);

    *reach ^= 1u << bit;
    return bit % 16 * 2 + bit / 16;
}

#endif
