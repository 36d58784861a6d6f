/*
 * For the CUDA rungs of cuda_sweep.h when k neighbours are asked for, and not one: the sweep keeps
 * the best score of every tile, 16 bits of it, the upper half of a float.  So it loses less than
 * 1/128 of itself and never gains.  Here is how they are kept, and what they tell:
 *
 * Limit    Of k tiles the best scores are at most s, so k references have a cosine distance of at
 *          most s + E, and so have the k nearest: their scores are at most s + 2E, by the sweep as
 *          well as by float32, whose own E is no larger.  Tiles whose best score is more than that
 *          are out of the question.
 * s        The k-th least of the least of 64 groups of tiles: these are k different tiles.  For
 *          k = 8 and references in no order, it is the ninth or so of all tiles, not the eighth.
 */
#ifndef RUNGS_KNN_CUDA_MINIMA_H
#define RUNGS_KNN_CUDA_MINIMA_H

#include "cuda_settle.h" /* sweep, QUARTERS, TURN */

enum { SPAN = 4 * 2 * WARP }; /* tiles whose scores a warp reads at once: four times two a lane */

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

__device__ static void write_down(uint16_t *least, recent tiles)
{
    *(unsigned long long *)least = tiles.four;
}

/* --- after the sweep -------------------------------------------------------------------------- */

struct span {
    unsigned two[4]; /* the scores of two tiles each */
};

/* This lane's part of a span from `base` on; what is not there is more than any. */
__device__ static span read_span(sweep s, size_t i, unsigned base)
{
    const unsigned twos = s.chunks * QUARTERS / 2, mine = base / 2 + threadIdx.x % WARP;
    const unsigned *least = (const unsigned *)s.least + i * twos;
    span part;

#pragma unroll
    for (unsigned step = 0; step < 4; step++)
        part.two[step] = mine + step * WARP < twos ? least[mine + step * WARP] : 0x7fff7fff;
    return part;
}

/* A warp together: nobody who is among the k nearest to observation i scores more than this.
   Scores go without signs; what is negative by rounding is within the window of 0. */
__device__ static float limit_of(sweep s, size_t i, span part, windows w)
{
    int even = nothing, odd = nothing, kth = nothing;

    for (unsigned base = SPAN;; base += SPAN) {
#pragma unroll
        for (unsigned step = 0; step < 4; step++) {
            even = min(even, (int)(part.two[step] & 0x7fff));
            odd = min(odd, (int)(part.two[step] >> 16 & 0x7fff));
        }
        if (base >= s.chunks * QUARTERS)
            break;
        part = read_span(s, i, base);
    }

    int first = min(even, odd), second = max(even, odd);

    for (unsigned r = 0; r < s.k; r++) { /* equal ones go together: s may be larger than need be */
        kth = warp_min(first);
        if (first == kth) {
            first = second;
            second = nothing;
        }
    }

    const float above = __int_as_float((kth + 1) << 16);

    return above + (above < w.near_score ? w.near : w.far);
}

/* Which tiles of this lane's part of a span may have scores within the limit?  Of step t, bit
   15 - t is the first, and bit 31 - t the second. */
__device__ static unsigned reaching(span part, float limit)
{
    const unsigned bar = ((__float_as_uint(limit) >> 16) + 1) * 0x10001;
    unsigned reach = 0;

#pragma unroll
    for (unsigned step = 0; step < 4; step++) /* with the sign bits set, no half borrows */
        reach |= (~((part.two[step] | 0x80008000) - bar) & 0x80008000) >> step;
    return reach;
}

/* The first of them, and the others */
__device__ static unsigned first_tile(unsigned base, unsigned reach)
{
    const unsigned bit = __clz((int)reach);

    return base + bit % 16 * (2 * WARP) + threadIdx.x % WARP * 2 + (bit < 16);
}

__device__ static unsigned without_first(unsigned reach)
{
    return reach & ~(0x80000000 >> __clz((int)reach) % WARP);
}

#endif
