/*
 * compact: decoupled look-back, by which a tile learns how many elements all tiles before it keep, in one launch
 * (D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA NVR-2016-002).
 *
 * Each tile publishes a word, twice: first the number of its own kept elements, and later that of all tiles up to it.  A
 * tile goes back through the words of the tiles before it and adds their own numbers, until it finds one that has the
 * number of all.
 *
 *     bits 62..63  what the number counts: OWN or ALL
 *     bits 40..61  the call that wrote the word: words of earlier calls need not be cleared
 *     bits  0..39  the number
 *
 * A word is read and written as a whole, and nothing else is handed over with it, so no fence is needed.
 *
 * Tiles are numbered by tickets, in the order in which blocks begin.  So every tile before this one belongs to a block
 * that runs or has ended, and the wait ends in whatever order the device starts its blocks.
 */
#ifndef RUNGS_COMPACT_LOOKBACK_H
#define RUNGS_COMPACT_LOOKBACK_H

#include <stdint.h>

#include "common/cuda.h"

enum { OWN = 1, ALL = 2 };

struct lookback {
    volatile uint64_t *words; /* [tiles] */
    unsigned *tickets;        /* 0 between calls */
    unsigned tiles;
    unsigned call; /* of 22 bits; each tile writes its word in each call, so only the last call's words remain */
};

static inline void lookback_make(struct lookback *l, size_t tiles)
{
    CUDA(cudaMalloc(&l->words, tiles * sizeof *l->words));
    CUDA(cudaMalloc(&l->tickets, sizeof *l->tickets));
    CUDA(cudaMemset((void *)l->words, 0, tiles * sizeof *l->words));
    CUDA(cudaMemset(l->tickets, 0, sizeof *l->tickets));
    l->tiles = (unsigned)tiles;
    l->call = 0;
}

/* Call it before each launch. */
static inline void lookback_next_call(struct lookback *l)
{
    l->call = (l->call + 1) & 0x3fffff;
}

static inline void lookback_free(struct lookback *l)
{
    CUDA(cudaFree((void *)l->words));
    CUDA(cudaFree(l->tickets));
}

/* Returns the next ticket of `most` in this call.  The last one sets the counter back. */
__device__ static inline unsigned lookback_ticket(const lookback &l, unsigned most)
{
    return atomicInc(l.tickets, most - 1);
}

__device__ static inline void lookback_publish(const lookback &l, unsigned tile, int what, uint64_t number)
{
    l.words[tile] = (uint64_t)what << 62 | (uint64_t)l.call << 40 | number;
}

/* Returns the word of the tile so far back.  Before the first one there is nothing: ALL, 0. */
__device__ static inline uint64_t lookback_word(const lookback &l, unsigned tile, unsigned back)
{
    return back <= tile ? l.words[tile - back] : (uint64_t)ALL << 62 | (uint64_t)l.call << 40;
}

/* Returns, in each lane of a warp, how many elements the tiles before this one keep.  The warp requests 128 words at a
   time, because each request takes as long as 50 to 100 tiles of a large array do.  Lane 0 has the nearest word. */
__device__ static inline uint64_t lookback_before(const lookback &l, unsigned tile)
{
    enum { WINDOWS = 4 };
    const unsigned lane = threadIdx.x % 32;
    uint64_t sum = 0; /* of this lane's words */
    unsigned all = 0; /* bit i: lane i has found the number of all tiles up to some tile */

    for (unsigned back = 1; back <= tile && all == 0; back += WINDOWS * 32) {
        uint64_t word[WINDOWS];

#pragma unroll
        for (unsigned w = 0; w < WINDOWS; w++)
            word[w] = lookback_word(l, tile, back + w * 32 + lane);
#pragma unroll
        for (unsigned w = 0; w < WINDOWS && all == 0; w++) {
            unsigned known, nearer;

            for (;;) {
                const bool of_this_call = (word[w] >> 40 & 0x3fffff) == l.call;
                known = __ballot_sync(~0u, of_this_call);
                all = __ballot_sync(~0u, of_this_call && word[w] >> 62 == ALL);
                nearer = all ^ (all - 1); /* lanes up to the first that has the number of all; none: every lane */
                if ((known & nearer) == nearer)
                    break;
                word[w] = lookback_word(l, tile, back + w * 32 + lane);
            }
            sum += nearer >> lane & 1 ? word[w] & 0xffffffffff : 0;
        }
    }
    for (int half = 16; half > 0; half /= 2)
        sum += __shfl_xor_sync(~0u, sum, half);
    return sum;
}

#endif
