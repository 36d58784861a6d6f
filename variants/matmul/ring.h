/*
 * How a block of cuda_tensor_* shares its work: of three groups of threads one fetches, and the
 * others multiply; they meet at barriers in shared memory only.  A ring of slices is filled while
 * slices before them are multiplied.  Two blocks, a cluster, fetch what both of them need once.
 *
 * The PTX behind it is in hopper.h, which a variant includes before this.
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

/* Where a thread is in its ring. */
struct turn {
    unsigned at, round;
};

template <class slices, int STAGES>
__device__ static void next(const ring_of<slices, STAGES> *, struct turn *turn)
{
    turn->at = turn->at + 1 < STAGES ? turn->at + 1 : 0;
    turn->round += turn->at == 0;
}

/* By all threads of the cluster. */
template <class slices, int STAGES>
__device__ static void ring_init(ring_of<slices, STAGES> *ring)
{
    if (threadIdx.x == 0)
        for (unsigned s = 0; s < STAGES; s++) {
            barrier_init(&ring->full[s], 1);
            barrier_init(&ring->empty[s], 2 * BLOCKS); /* groups that must have done with it */
        }
    cluster_wait();
}

/* --- tiles of C ------------------------------------------------------------------------------- */

/* A cluster's tiles lie DOWN one below the other, or ACROSS beside each other.  BAND rows of tiles
   are gone through column by column: so those that are worked on at the same time share A and B in
   the cache. */
template <int TILE_M, int TILE_N, int BAND, int DOWN = BLOCKS, int ACROSS = 1> struct tiles_of {
    size_t down, across;

    __device__ tiles_of(size_t m, size_t n)
        : down((m + DOWN * TILE_M - 1) / (DOWN * TILE_M)),
          across((n + ACROSS * TILE_N - 1) / (ACROSS * TILE_N))
    {
    }

    /* Where this block's part of a cluster's tile begins */
    __device__ void place(size_t tile, size_t *i0, size_t *j0) const
    {
        const size_t band = tile / (BAND * across), in_band = tile % (BAND * across);
        const size_t high = min((size_t)BAND, down - band * BAND);

        *i0 = ((band * BAND + in_band % high) * DOWN + cluster_rank() / ACROSS) * TILE_M;
        *j0 = (in_band / high * ACROSS + cluster_rank() % ACROSS) * TILE_N;
    }
};

/* --- who fetches, and who multiplies ---------------------------------------------------------- */

/* One thread: fetches all slices of all of this cluster's tiles, each as soon as there is room.
   ask(to, i0, j0, slice, full) asks for the boxes of one. */
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

/* The slice whose turn it is, once it is there */
template <class slices, int STAGES>
__device__ static const slices *ring_take(ring_of<slices, STAGES> *ring, struct turn turn)
{
    barrier_wait(&ring->full[turn.at], turn.round & 1);
    return &ring->stage[turn.at];
}

/* A group has done with that stage: both blocks may fill it.  t: the thread of the group */
template <class slices, int STAGES>
__device__ static void ring_release(ring_of<slices, STAGES> *ring, unsigned at, unsigned t)
{
    if (t < BLOCKS)
        barrier_arrive(&ring->empty[at], t);
}

/* --- C ---------------------------------------------------------------------------------------- */

/* C's elements at j and j + 1 of a row of n; j is even.  Nobody reads them here: the cache is for A
   and B. */
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
