/*
 * For cuda_topk_select.h: which tiles can have one of the k nearest references of an observation?
 *
 * Limit    Let the best scores of k different tiles be at most s.  Then k references have a cosine
 *          distance of at most s + E, so the k nearest have scores of at most s + 2E.  That is the limit;
 *          tiles whose best score is above it are ruled out.  It holds for the sweep's scores and for
 *          float32's, whose own E is no larger (docs/knn-exactness.md, "GPU: k
 *          neighbours from 16-bit scores").
 * s        The tiles form 64 groups, and s is the k-th least of the groups' least: these are k different
 *          tiles.  For k = 8 and references in no order, that is about the ninth best of all tiles.
 * Lanes    Each lane works for one observation and has in registers a sorted list of the least so far.
 *          Two 16-bit numbers share a register, and one instruction compares both.
 */
#ifndef RUNGS_KNN_CUDA_TOPK_LIMIT_H
#define RUNGS_KNN_CUDA_TOPK_LIMIT_H

#include "cuda_topk.h" /* topk_sweep, scores_of, windows, TURN */

/* The first tiles of every 16th piece are a group, so are the second ones, and so on.  reaching() tests as
   many tiles at once as a word has bits. */
enum { GROUPS = 64 / TURN, PIECES_OF_REACH = WARP / TURN };

static const int nothing = 0x4100; /* upper half of 8.0: above any score */

/* Puts two numbers into two sorted lists, of the least so far: the lower halves are one list, the upper
   halves the other. */
template <int LENGTH> __device__ static void put_two(unsigned (&list)[LENGTH], unsigned two)
{
#pragma unroll
    for (unsigned &kept : list) {
        const unsigned less = __vmins2(kept, two);

        two = __vmaxs2(kept, two);
        kept = less;
    }
}

/* The number LENGTH of both lists together, in order */
template <int LENGTH> __device__ static int last_of(const unsigned (&list)[LENGTH])
{
    int last = 0; /* what is negative by rounding is within the window of 0 */

#pragma unroll
    for (int r = 0; r < LENGTH; r++)
        last = max(last, min((int)(short)list[r], (int)list[LENGTH - 1 - r] >> 16));
    return last;
}

/* The limit of observation i: none of its k nearest references scores more.  k <= LENGTH. */
template <int LENGTH> __device__ static float limit_of(topk_sweep s, size_t i, windows w)
{
    const uint2 *const pieces = (const uint2 *)scores_of(s, i);
    unsigned list[LENGTH];

#pragma unroll
    for (unsigned r = 0; r < LENGTH; r++) /* LENGTH - k places are filled with a number below all */
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
            put_two(list, least[g].x);
            put_two(list, least[g].y);
        }
    }

    const float above = __int_as_float((last_of(list) + 1) << 16);

    return above + (above < w.near_score ? w.near : w.far);
}

/* Which tiles of the next PIECES_OF_REACH pieces, or of the `left` that there are, have best scores within
   the limit?  A bit for each: of pair t of tiles, bit t is the first, and bit 16 + t the second. */
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

/* Clears one of these bits, and returns how many tiles after the first one that tile is. */
__device__ static unsigned take_one(unsigned *reach)
{
    const unsigned bit = WARP - 1 - __clz((int)*reach);

    *reach ^= 1u << bit;
    return bit % 16 * 2 + bit / 16;
}

#endif
