/* compact: how a warp packs a strip of consecutive elements by ballots, and how the warps of a block add up. */
#ifndef RUNGS_COMPACT_CUDA_STRIP_H
#define RUNGS_COMPACT_CUDA_STRIP_H

#include "cuda_buffers.h"

/* ROUNDS * 32 elements: lane l holds elements l, l + 32, l + 64 ... */
template <int ROUNDS> struct strip {
    float value[ROUNDS];
    unsigned keeps[ROUNDS]; /* bit l: lane l keeps its element of this round.  The same in all lanes */
    unsigned count;         /* of kept elements */
};

template <int ROUNDS> __device__ static inline void strip_vote(strip<ROUNDS> *s)
{
    s->count = 0;
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
        s->keeps[r] = __ballot_sync(~0u, keeps(s->value[r]));
        s->count += __popc(s->keeps[r]);
    }
}

/* All loads come before the first ballot, so that they are in flight together. */
template <int ROUNDS> __device__ static inline strip<ROUNDS> strip_load(const float *x)
{
    const unsigned lane = threadIdx.x % 32;
    strip<ROUNDS> s;

#pragma unroll
    for (int r = 0; r < ROUNDS; r++)
        s.value[r] = x[r * 32 + lane];
    strip_vote(&s);
    return s;
}

/* Writes the kept elements to to[0] ... to[count - 1]: those of lower lanes and of earlier rounds come first. */
template <int ROUNDS> __device__ static inline void strip_store(const strip<ROUNDS> &s, float *to)
{
    const unsigned lane = threadIdx.x % 32, lower = (1u << lane) - 1;

#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
        if (s.keeps[r] >> lane & 1)
            to[__popc(s.keeps[r] & lower)] = s.value[r];
        to += __popc(s.keeps[r]);
    }
}

struct places {
    unsigned before; /* kept elements of the block's warps before this one */
    unsigned all;    /* of the block */
};

/* Each warp passes its count.  All threads of the block take part. */
template <int WARPS> __device__ static inline places block_places(unsigned count)
{
    __shared__ unsigned counts[WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    places p = {0, 0};

    if (lane == 0)
        counts[warp] = count;
    __syncthreads();
    for (unsigned w = 0; w < WARPS; w++) {
        p.before += w < warp ? counts[w] : 0;
        p.all += counts[w];
    }
    return p;
}

#endif
