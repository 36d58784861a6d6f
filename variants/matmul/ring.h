/*
 * How a block of cuda_tensor_* divides its work: of three groups of 128 threads, one fetches slices of A and B, and two
 * multiply them.  They meet only at barriers in shared memory, two for each stage of a ring:
 *
 *     group 0, one thread                     groups 1 and 2
 *     wait for empty[s]   <------------------ ring_release: arrive at empty[s], in both blocks
 *     request slice -> stage[s]
 *     its bytes arrive at full[s]  ---------> ring_take: wait for full[s], then multiply stage[s]
 *     s = next stage                          s = next stage
 *
 * Two blocks are a cluster: what both need is fetched once, for both.  So a stage is empty when the groups of both
 * blocks have released it.  The PTX behind it is in hopper.h, which a variant includes before this.
 */
#ifndef RUNGS_MATMUL_RING_H
#define RUNGS_MATMUL_RING_H

enum {
    BLOCKS = 2, /* in a cluster */
    THREADS = 3 * GROUP
};

/* slices: of A and B, as a box of each lies in memory. */
template <class slices, int STAGES> struct ring_of {
    slices stage[STAGES];
    uint64_t full[STAGES], empty[STAGES];
};

/* A thread's position in the ring: the stage, and how often it has been around. */
struct turn {
    unsigned at, round;
};

template <class slices, int STAGES>
__device__ static void next(const ring_of<slices, STAGES> *, struct turn *turn)
{
    turn->at = turn->at + 1 < STAGES ? turn->at + 1 : 0;
    turn->round += turn->at == 0;
}

/* Initialises the barriers.  All threads of the cluster must call it. */
template <class slices, int STAGES>
__device__ static void ring_init(ring_of<slices, STAGES> *ring)
{
    if (threadIdx.x == 0)
        for (unsigned s = 0; s < STAGES; s++) {
            barrier_init(&ring->full[s], 1);
            barrier_init(&ring->empty[s], 2 * BLOCKS); /* groups that must release the stage */
        }
    cluster_wait();
}

/* --- tiles of C ------------------------------------------------------------------------------- */

/* The order of tiles.  A cluster's tiles lie one below the other (DOWN) or side by side (ACROSS).  BAND rows of tiles
   are done column by column, so that tiles that are computed at the same time share A and B in the cache. */
template <int TILE_M, int TILE_N, int BAND, int DOWN = BLOCKS, int ACROSS = 1> struct tiles_of {
    size_t down, across;

    __device__ tiles_of(size_t m, size_t n)
        : down((m + DOWN * TILE_M - 1) / (DOWN * TILE_M)),
          across((n + ACROSS * TILE_N - 1) / (ACROSS * TILE_N))
    {
    }

    /* Sets i0, j0 to the row and column where this block's part of a cluster's tile begins. */
    __device__ void place(size_t tile, size_t *i0, size_t *j0) const
    {
        const size_t band = tile / (BAND * across), in_band = tile % (BAND * across);
        const size_t high = min((size_t)BAND, down - band * BAND);

        *i0 = ((band * BAND + in_band % high) * DOWN + cluster_rank() / ACROSS) * TILE_M;
        *j0 = (in_band / high * ACROSS + cluster_rank() % ACROSS) * TILE_N;
    }
};

/* --- the group that fetches, and those that multiply ------------------------------------------ */

/* For one thread: fetches all slices of all tiles of this cluster, each as soon as a stage is empty.
   ask(to, i0, j0, slice, full) requests the boxes of one slice. */
template <class slices, int STAGES, class tiles_type, class function>
__device__ static void ring_fill(ring_of<slices, STAGES> *ring, const tiles_type &tiles,
                                 size_t slices_of_tile, function ask)
{
    struct turn turn = {};
    size_t i0, j0;

    for (size_t tile = blockIdx.x / BLOCKS; tile < tiles.down * tiles.across;
         tile += gridDim.x / BLOCKS) {
        tiles.place(tile, &i0, &j0);
        for (size_t slice = 0; slice < slices_of_tile; slice++) {
            uint64_t *full = &ring->full[turn.at];

            barrier_wait(&ring->empty[turn.at], ~turn.round & 1);
            barrier_expect(full, sizeof ring->stage[0]);
            ask(&ring->stage[turn.at], i0, j0, slice, full);
            next(ring, &turn);
        }
    }
}

/* Waits for the slice of this turn, and returns it. */
template <class slices, int STAGES>
__device__ static const slices *ring_take(ring_of<slices, STAGES> *ring, struct turn turn)
{
    barrier_wait(&ring->full[turn.at], turn.round & 1);
    return &ring->stage[turn.at];
}

/* Releases a stage to both blocks, for a group.  t: the number of the thread in its group */
template <class slices, int STAGES>
__device__ static void ring_release(ring_of<slices, STAGES> *ring, unsigned at, unsigned t)
{
    if (t < BLOCKS)
        barrier_arrive(&ring->empty[at], t);
}

/* --- C ---------------------------------------------------------------------------------------- */

/* Writes C's elements j and j + 1 of a row of n; j is even.  The kernel does not read C again, so the stores leave the
   cache to A and B. */
__device__ static inline void put(float *row, size_t j, size_t n, float x, float y)
{
    if (n % 2 == 0 && j < n) {
        __stcs((float2 *)(row + j), make_float2(x, y));
        return;
    }
    if (j < n)
        row[j] = x;
    if (j + 1 < n)
        row[j + 1] = y;
}

#endif
