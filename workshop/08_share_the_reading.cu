/* EXERCISE
title: Share the reading
problem: knn
concept: shared memory, a tile, and its two barriers
minutes: 25
story:
  In exercise 07 every warp reads every reference from global memory, the memory of the GPU as a whole. But all 256 threads of
  a block need the same references. They can load them together. Each thread loads one reference into shared memory
  (__shared__), which belongs to the block and is much faster than global memory. The 256 references are a tile. All threads go
  through the tile; then the block loads the next one.

  The warps of a block do not run in step. __syncthreads() is a barrier: a thread waits there until all threads of the block
  have reached it. So all of them must reach it.
task:
  The kernel in your file is right, but it reads everything from global memory. Change it: a block loads a tile of TILE references into
  tile_lat and tile_lon, and its threads go through these. Three things matter:
  - all threads must have written the tile before any thread reads it;
  - all threads must have read it before any thread writes the next tile;
  - the last tile may not be full.
now: every warp loads 8 bytes of every reference: 69632 bytes in all
goal: every block loads them once, for all its threads: 12288 bytes
why: 512 observations are 2 blocks, and 512 references * 8 bytes * 2 blocks are 8192 bytes. The observations are 4096
  more. In the starter, 16 warps load all references. (What a warp reads at the same place counts once.)
sizes: m=0,n=5,k=1 m=1,n=1,k=1 m=33,n=1,k=1 m=2,n=3,k=1 m=257,n=256,k=1 m=64,n=257,k=1 m=1100,n=33,k=1 m=130,n=777,k=1
  m=300,n=512,k=1
count: m=512,n=512,k=1
gate: load_bytes <= 16384 | reads-again | More is loaded than each reference once for each block: what a block loads into its tile is there for all its warps.
gate: floats_per_load >= 28 | single-thread | A few threads load the tile, and the others wait for them. Each thread should load one reference.
gate: barriers_per_block <= 6 | needless-barrier | 512 references are 2 tiles of 256, and each needs 2 barriers: there are more tiles, or more barriers for each.
gate: load_sectors_per_request <= 4.5 | strided | Neighbouring threads do not load neighbouring references of the tile.
clue: without __shared__ | - | not-shared | The kernel has no __shared__ any more, so each thread has a tile of its own, and has written one place of it.
clue: fewer than 2 __syncthreads | - | shared-unwritten | There are fewer than two barriers in the kernel.
clock: m=65536,n=8192,k=1 | starter | solution | - | A block loads far fewer bytes now, but the kernel is no faster. The GPU's
  cache held the references all along, and the sines and cosines take the time. Exercise 18 goes on from here.
starter: reads-again
hint 1:
  Thread 5 writes its reference into the tile. Thread 200 reads it. What makes sure that they do it in this order? And
  a thread may still read this tile when others begin the next one. What happens to its references then?
hint 2:
  A thread without an observation must still load its reference of each tile, and reach every barrier. At n = 777 the last
  tile has 9 references. Which threads have none to load? Which places of the tile must not be read?
hint 3:
  for each tile, by its first reference
      if there is a reference for this thread: load it into the tile
      barrier
      for each reference that is in the tile
          compute the distance, keep the nearest; its index counts from the first of all references
      barrier
  if there is an observation: write the result
say divergent-barrier: by the return |
  The threads that are named have left by the quoted return, and the others wait for them. A thread without an observation loads its
  reference all the same, and reaches both barriers of each tile: no thread leaves before the last tile.
say divergent-barrier: under the condition |
  Threads for which this condition does not hold never reach the barrier. Put only the work under the condition, and the barrier
  behind it.
say divergent-barrier: in the loop |
  This loop ends earlier for some threads than for others. All threads do the same number of tiles, with or without an observation.
say divergent-barrier:
  All threads of the block must reach the same barriers, in the same order.
say shared-unwritten: later |
  A barrier is missing: all threads must have written the tile before any thread reads it.
say shared-unwritten: barriers |
  A thread reads from the tile before another thread has written there. There must be a barrier between the two.
say shared-unwritten: nothing at all |
  No thread of this block has written into this array. In every block, thread t loads the latitude and the longitude of the reference t
  behind the tile's first, if there is one.
say shared-unwritten: number of the thread itself |
  All threads read the same reference t of the tile, one after another. threadIdx.x is the place that a thread writes.
say shared-unwritten: behind its last reference |
  The loop over the tile ends with the last reference that exists, number n - 1 among all.
say shared-unwritten: with an observation |
  A thread without an observation must load its reference all the same, because all threads of the block need it.
say shared-unwritten: have not loaded |
  Each thread of the block loads one reference of the tile, if there is one for it.
say shared-unwritten:
  A thread reads a place of the tile that no thread has written. How many references has the last tile? The loop over the tile must
  end there: a 0 in such a place would be a reference, too. And does every thread load one, also a thread without an observation?
say shared-out-of-bounds:
  A tile has TILE places, 0 to TILE - 1. Which number has a reference within its tile, and which among all? And does each thread
  have a place of its own, by threadIdx.x?
say first-tile-only:
  Does each tile load references of its own? This thread's is threadIdx.x behind the tile's first reference. And does the loop over the tiles
  go on to n?
say wrong-values:
  If the last tile was filled up, with 0 for example: that is a place on the Earth, and may be the nearest. Read only the references
  that exist. Otherwise: tile_lat gets ref_lat, and tile_lon gets ref_lon, each at the same place.
say alone:
  All threads of the block go through all references of the tile: each begins at place 0, and counts up by one.
say wrong-index: plus the number of the tile |
  Reference t of a tile is number first + t among all, where first is the number of the tile times TILE.
say wrong-index: is indented as if |
  When a nearer one is kept, distance and index are taken over together, and only then.
say wrong-index:
  Reference t of a tile is number first + t among all, where first is the number of the tile's first one. And are distance and index
  kept together?
say needless-barrier:
  The two barriers stand in the loop over the tiles, and not in the loop over the references of a tile.
say race: reads further on |
  A tile is complete only when all threads have loaded their parts. Before the first of them reads, all must have reached a barrier.
say race: do this, and |
  Each thread does this for all places. A thread loads one reference, and puts it at its own place, threadIdx.x; the barrier sees to the rest.
say race: both write |
  Two threads write the same place. In the tile, thread t loads place t, and no other; of the results, a thread writes those of its own
  observation.
say race:
  One thread still reads the tile while another writes the next one. There must be a barrier at the end of each tile, too.
say out-of-bounds: d_index |
  There are more threads than observations, because the launch rounds up. A thread whose i is m or more writes no result.
say out-of-bounds: d_distance |
  There are more threads than observations, because the launch rounds up. A thread whose i is m or more writes no result.
say out-of-bounds: d_obs_ |
  There are more threads than observations, because the launch rounds up. A thread whose i is m or more reads none.
say out-of-bounds:
  The last tile is not full. A thread whose reference would be n or more has nothing to load.
wrong no_first_barrier: shared-unwritten | Which thread writes tile_lat[200], and when does thread 0 read it?
wrong not_shared: not-shared | Who sees an array that is declared without __shared__?
wrong no_second_barrier: race | Thread 0 has finished with the tile. Has thread 255?
wrong early_return: divergent-barrier | What do the others wait for, if this thread has returned?
wrong barrier_in_if: divergent-barrier | Which threads reach this barrier in the last tile?
wrong only_latitude: shared-unwritten | How many numbers describe a place on a sphere?
wrong mine_load: shared-unwritten | Which threads need the reference that a thread loads?
wrong half_load: shared-unwritten | How many references has a tile, and how many threads load one?
wrong small_tile: shared-out-of-bounds | How many references does a block load at once?
wrong thread_0_brings: single-thread | It is right. What do 255 threads do meanwhile?
wrong no_wait: race | What may thread 1 do while thread 0 brings the tile?
wrong full_last_tile: shared-unwritten | How many references are in the last tile of 777?
wrong pairs_too_far: shared-unwritten | How many references are in the last tile of 777?
wrong own_begin: alone | At which place of the tile does thread 200 begin its search?
wrong each_warp: race | How many threads write tile_lat[0]?
wrong zeros: past-the-end | Where on the Earth is the place 0, 0?
wrong one_each: alone | A tile has 256 references. How many of them has thread 0 looked at?
wrong no_guard: out-of-bounds | Which reference does thread 255 load in the last tile?
wrong index_in_tile: index-in-tile | Reference 3 of the second tile: what is its number among all references?
wrong times_tile: wrong-index | Which number has the first reference of the second tile?
wrong reset_in_loop: overwritten | What happens to the nearest of the first tile when the second begins?
wrong same_tile: first-tile-only | Which reference does thread 0 load for the second tile?
wrong barriers_inside: needless-barrier | It is right. How many barriers does a tile need?
wrong whole_tiles: partial-tile | How many iterations has the loop for 777 references?
extra:
  The cosine of its latitude depends on the reference alone. A block could compute it once and put it into the tile. How many
  cosines are saved?
discuss:
  On a GPU the references of exercise 07 come from a cache most of the time. When is the tile worth it all the same? What else is
  in the inner loop?
*/
/*
 * 08 Share the reading: each block loads the references into shared memory, a tile at a time.
 *
 * The kernel is right, but reads too much global memory.  Let it read from the tile.
 */
#include "common/cuda.h"
#include "common/knn.h"
#include "common/variant.h"

enum { TILE = 256 }; /* threads of a block, and references of a tile: each thread loads one */

/* On the device, like everything that begins with d_. */
static float *d_obs_lat, *d_obs_lon, *d_ref_lat, *d_ref_lon, *d_distance;
static uint32_t *d_index;

/* The angle between two places, in radians. */
__device__ static float haversine(float lat1, float lon1, float lat2, float lon2)
{
    float sin_lat = sinf((lat2 - lat1) / 2);
    float sin_lon = sinf((lon2 - lon1) / 2);
    float h = sin_lat * sin_lat + cosf(lat1) * cosf(lat2) * sin_lon * sin_lon;

    return 2 * asinf(sqrtf(fminf(h, 1))); /* rounding can lift h above 1 */
}

__global__ static void nearest(size_t m, size_t n, const float *obs_lat, const float *obs_lon,
                               const float *ref_lat, const float *ref_lon, uint32_t *index,
                               float *distance)
{
#if WRONG_small_tile
    __shared__ float tile_lat[128], tile_lon[128];
#elif WRONG_pairs_too_far
    __shared__ float2 tile[TILE];
#elif WRONG_not_shared
    float tile_lat[TILE], tile_lon[TILE];
#else
    __shared__ float tile_lat[TILE], tile_lon[TILE];
#endif
    size_t i = (size_t)blockIdx.x * TILE + threadIdx.x; /* this thread's observation */
#if WRONG_early_return
    if (i >= m)
        return;
    bool mine = true;
#else
    bool mine = i < m; /* it exists */
#endif
    float lat = mine ? obs_lat[i] : 0, lon = mine ? obs_lon[i] : 0;
    float least = INFINITY;
    uint32_t which = 0;

#if STARTER
    (void)tile_lat; /* to be used */
    (void)tile_lon;
    for (size_t j = 0; mine && j < n; j++) {
        float d = haversine(lat, lon, ref_lat[j], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
#elif WRONG_whole_tiles
    for (size_t first = 0; first + TILE <= n || first == 0; first += TILE) {
#else
    for (size_t first = 0; first < n; first += TILE) {
#endif
#if STARTER
#elif WRONG_no_guard
        tile_lat[threadIdx.x] = ref_lat[first + threadIdx.x];
        tile_lon[threadIdx.x] = ref_lon[first + threadIdx.x];
#elif WRONG_mine_load
        if (mine && first + threadIdx.x < n) {
            tile_lat[threadIdx.x] = ref_lat[first + threadIdx.x];
            tile_lon[threadIdx.x] = ref_lon[first + threadIdx.x];
        }
#elif WRONG_half_load
        if (threadIdx.x < TILE / 2 && first + threadIdx.x < n) {
            tile_lat[threadIdx.x] = ref_lat[first + threadIdx.x];
            tile_lon[threadIdx.x] = ref_lon[first + threadIdx.x];
        }
#elif WRONG_zeros
        tile_lat[threadIdx.x] = first + threadIdx.x < n ? ref_lat[first + threadIdx.x] : 0;
        tile_lon[threadIdx.x] = first + threadIdx.x < n ? ref_lon[first + threadIdx.x] : 0;
#elif WRONG_same_tile
        if (first + threadIdx.x < n) {
            tile_lat[threadIdx.x] = ref_lat[threadIdx.x];
            tile_lon[threadIdx.x] = ref_lon[threadIdx.x];
        }
#elif WRONG_only_latitude
        if (first + threadIdx.x < n)
            tile_lat[threadIdx.x] = ref_lat[first + threadIdx.x];
#elif WRONG_pairs_too_far
        if (first + threadIdx.x < n)
            tile[threadIdx.x] = make_float2(ref_lat[first + threadIdx.x], ref_lon[first + threadIdx.x]);
#elif WRONG_each_warp
        for (size_t t = threadIdx.x % 32; t < TILE && first + t < n; t += 32) {
            tile_lat[t] = ref_lat[first + t];
            tile_lon[t] = ref_lon[first + t];
        }
#elif WRONG_thread_0_brings || WRONG_no_wait
        for (size_t t = 0; threadIdx.x == 0 && t < TILE && first + t < n; t++) {
            tile_lat[t] = ref_lat[first + t];
            tile_lon[t] = ref_lon[first + t];
        }
#elif WRONG_barrier_in_if
        if (first + threadIdx.x < n) {
            tile_lat[threadIdx.x] = ref_lat[first + threadIdx.x];
            tile_lon[threadIdx.x] = ref_lon[first + threadIdx.x];
            __syncthreads();
        }
#elif WRONG_reset_in_loop
        least = INFINITY;
        if (first + threadIdx.x < n) {
            tile_lat[threadIdx.x] = ref_lat[first + threadIdx.x];
            tile_lon[threadIdx.x] = ref_lon[first + threadIdx.x];
        }
#else
        if (first + threadIdx.x < n) {
            tile_lat[threadIdx.x] = ref_lat[first + threadIdx.x];
            tile_lon[threadIdx.x] = ref_lon[first + threadIdx.x];
        }
#endif
#if STARTER || WRONG_no_first_barrier || WRONG_barrier_in_if || WRONG_no_wait
#else
        __syncthreads(); /* the tile is complete */
#endif
#if STARTER
#elif WRONG_pairs_too_far
        for (size_t t = 0; t < TILE && first + t <= n; t++) {
#elif WRONG_full_last_tile || WRONG_zeros
        for (size_t t = 0; t < TILE; t++) {
#elif WRONG_own_begin
        for (size_t t = threadIdx.x; t < TILE && first + t < n; t++) {
#elif WRONG_one_each
        if (first + threadIdx.x < n) {
            const size_t t = threadIdx.x;
#else
        for (size_t t = 0; t < TILE && first + t < n; t++) {
#endif
#if STARTER
#elif WRONG_barriers_inside
            __syncthreads();
            float d = haversine(lat, lon, tile_lat[t], tile_lon[t]);

            if (d < least) {
                least = d;
                which = (uint32_t)(first + t);
            }
        }
#elif WRONG_pairs_too_far
            float d = haversine(lat, lon, tile[t].x, tile[t].y);

            if (d < least) {
                least = d;
                which = (uint32_t)(first + t);
            }
        }
#elif WRONG_index_in_tile
            float d = haversine(lat, lon, tile_lat[t], tile_lon[t]);

            if (d < least) {
                least = d;
                which = (uint32_t)t;
            }
        }
#elif WRONG_times_tile
            float d = haversine(lat, lon, tile_lat[t], tile_lon[t]);

            if (d < least) {
                least = d;
                which = (uint32_t)(first * TILE + t);
            }
        }
#else
            float d = haversine(lat, lon, tile_lat[t], tile_lon[t]);

            if (d < least) {
                least = d;
                which = (uint32_t)(first + t);
            }
        }
#endif
#if STARTER
#elif WRONG_no_second_barrier
    }
#else
        __syncthreads(); /* all threads have read it */
    }
#endif
    if (!mine)
        return;
    index[i] = which;
    distance[i] = least;
}

/* --- the host's side: nothing to do here ------------------------------------------------------- */

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return p->k == 1 ? NULL : "finds the nearest one only: k is 1";
}

static void prepare(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    CUDA(cudaMalloc(&d_obs_lat, p->m * sizeof(float)));
    CUDA(cudaMalloc(&d_obs_lon, p->m * sizeof(float)));
    CUDA(cudaMalloc(&d_ref_lat, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_ref_lon, p->n * sizeof(float)));
    CUDA(cudaMalloc(&d_index, p->m * sizeof(uint32_t)));
    CUDA(cudaMalloc(&d_distance, p->m * sizeof(float)));
}

static void upload(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    CUDA(cudaMemcpy(d_obs_lat, p->obs_lat, p->m * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_obs_lon, p->obs_lon, p->m * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_ref_lat, p->ref_lat, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(d_ref_lon, p->ref_lon, p->n * sizeof(float), cudaMemcpyHostToDevice));
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;
    size_t blocks = (p->m + TILE - 1) / TILE;

    if (blocks == 0)
        return;
    nearest<<<(unsigned)blocks, TILE>>>(p->m, p->n, d_obs_lat, d_obs_lon, d_ref_lat, d_ref_lon,
                                           d_index, d_distance);
    CUDA(cudaGetLastError());
}

static void download(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    CUDA(cudaMemcpy(p->index, d_index, p->m * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(p->distance, d_distance, p->m * sizeof(float), cudaMemcpyDeviceToHost));
}

static void release(void)
{
    CUDA(cudaFree(d_obs_lat));
    CUDA(cudaFree(d_obs_lon));
    CUDA(cudaFree(d_ref_lat));
    CUDA(cudaFree(d_ref_lon));
    CUDA(cudaFree(d_index));
    CUDA(cudaFree(d_distance));
}

VARIANT(.idea = "tiles of references in shared memory, mine",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
