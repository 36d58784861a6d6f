/* EXERCISE
title: Beat the table
problem: knn
concept: everything
minutes: 45
story:
  Find the nearest reference once more. This time any way is allowed: tiles, shuffles, other formulas, other data structures. The
  results must be right at every size and in every order of threads, and the kernel must load few bytes. The board ranks by
  time on a GPU, and without one by the bytes that the simulator counts. `rungs list knn` shows what the ladder's own variants
  do; each file begins with its idea.
task:
  The kernel in your file is like that of exercise 07, but compares h instead of the distance. Make it better in steps: keep what
  helps, and save often. Some ideas, from small to large:
  - share the reading in tiles (exercise 08);
  - take out of the inner loop what does not depend on the reference, and compute only once what depends on the reference alone;
  - two or four observations for each thread, so that a reference that was loaded is used more often;
  - places as unit vectors in space: then the distance between two points replaces all sines.
  `build-sim/rungs lab submit DIR 18` puts a version that has passed on the board.
now: 69632 bytes are loaded for 512 observations and 512 references
goal: at most 20480 bytes; on a GPU also the time, for which each pair needs two cosines fewer
why: 8 bytes for each reference and observation would be enough, 8192 in all; every byte above that is loaded again
sizes: m=0,n=5,k=1 m=1,n=1,k=1 m=33,n=1,k=1 m=2,n=3,k=1 m=257,n=256,k=1 m=64,n=257,k=1 m=130,n=777,k=1
  m=300,n=512,k=1 m=1100,n=33,k=1
count: m=512,n=512,k=1
gate: load_bytes <= 20480 | reads-again | 512 observations and 512 references are 8192 bytes. What is above that was loaded more than once.
clock: m=65536,n=8192,k=1 | knn/cuda_naive | knn/cuda_warp | 0.8 | The table's knn/cuda_warp is still ahead. What is computed for
  each pair, but needs to be computed only once for each reference, or only for the nearest one?
clue: __shfl | - | tie-rule | Several lanes share an observation: compare the indices where their distances are equal.
clue: <= least | - | tie-rule | With <= a later reference replaces an earlier one at the same distance.
starter: reads-again
hint 1:
  Which bytes are loaded more than once? Which threads load them, and which thread could pass them on?
hint 2:
  cosf(obs_lat[i]) is the same for all references. cosf(ref_lat[j]) is the same for all observations. How often is each computed
  now, and how often would be enough?
hint 3:
  for each tile: load latitude and longitude, and compute the cosine of the latitude
      barrier
      for each of its references: h only, and keep the smallest
      barrier
  the angle of the smallest h, once
say unwritten-read: is called after |
  prepare, upload, run and download are called in this order. What is read in one of them must have been written in it, or before.
say reads-again: which is one warp |
  A tile saves as many loads as the block has warps that share it. How many threads should a block have? Or how many observations has a
  thread?
say reads-again: warps of the |
  The threads of a block can load a tile of references together, once, and all of its warps then read that (exercise 08).
say reads-again:
  Which numbers are loaded more than once, and by which threads? A block with more observations, by more threads or several for each
  thread, uses a reference that it has loaded more often.
say out-of-bounds:
  A block has TILE threads, and the launch rounds up: a thread whose i is m or more has no observation, and one beyond n no
  reference to load. Both must still reach the barriers.
say divergent-barrier:
  All threads reach the barriers, also those without an observation, and those without a reference to load.
say shared-unwritten: number of the thread itself |
  All threads read the same reference t of the tile, one after another. threadIdx.x is the place that a thread writes.
say shared-unwritten: later |
  There must be a barrier between the two: all threads have written the tile before any thread reads it.
say shared-unwritten:
  The last tile may have fewer references than the others. Does the loop over a tile end with its last reference? And does each thread that
  has a reference write all that is read of it: latitude, longitude and cosine?
say tail-missing:
  Do the threads' numbers reach m? Is the number of blocks m / TILE rounded up, (m + TILE - 1) / TILE? If a block has more than
  TILE observations: by how much do the numbers of the next block's begin further on?
say race: do this, and |
  Each of them does this work, and once is enough: put it under if (threadIdx.x == 0). Or each thread is to have a place of its own.
say race: both write, in the same line |
  Several threads write the same place of the tile. Each thread loads one reference, and puts it at its own place, threadIdx.x.
say race: both write, in two lines |
  Two threads write the result of the same observation: the numbers of two blocks overlap. If a thread has two observations, those of
  the next block begin 2 * TILE further on.
say rounding:
  A dot product or a cosine near 1 has too few digits left for a small angle. The sum of the squares of the differences of the
  coordinates has more. But a coordinate has an error of some 1e-7: of references that are nearly as near, compute the distances by the
  haversine formula.
say wrong-values: of each |
  These may be the second observation of each thread, or the first one. Which variables has that observation alone: its least, its index,
  its latitude, longitude and cosine? Does each line use the right ones?
say wrong-values: read by no thread |
  Every reference must be loaded by a thread: a tile has TILE of them, and the next one begins TILE further on.
say not-a-number: another number |
  It is no rounding, so fminf(h, 1) does not mend it. Compare the formula part by part: sines of half the differences, both squared,
  and the cosines of the two latitudes. A cosine of a latitude is never negative; that of a longitude may be.
say not-a-number: opposite side |
  fminf(h, 1) belongs before the root and the arcsine.
say not-a-number: at the same place |
  A dot product near 1 needs fminf(dot, 1), and a difference that may be below 0 fmaxf(..., 0), before the arccosine or the root.
say misplaced:
  For each pair, all three belong to the same reference: its latitude, its longitude and the cosine of its latitude. Which of them is
  read with another index?
say not-a-number:
  Rounding can lift a cosine or a dot product above 1, and acosf of that is not a number. Nor is the root of a negative number: in h
  both sines are squared, and the cosine of a latitude is never negative, but that of a longitude may be.
say past-the-end:
  How many references has the last tile? The loop over a tile ends where the references end: first + t is below n.
say wrong-start:
  Does the search begin with INFINITY?
say none-kept:
  Does the search begin with INFINITY, and is a reference kept if its value is less?
wrong whole_difference: term-missing | Of what is the sine in the haversine formula?
wrong own_cosine_twice: term-missing | Whose cosines are in the formula?
wrong sines: wrong-operator | Which functions of the two latitudes has the formula?
wrong sum_of_latitudes: wrong-operator | Of what is the first sine?
wrong longitude_cosine: exchanged | Of which angle is the cosine in the formula?
wrong cosine_once: misplaced | Of which reference is the cosine?
wrong first_tile_again: misplaced | Which references does the second tile load?
wrong half_the_latitude: wrong-operator | Of which angle is the cosine?
wrong tiles_apart: wrong-values | Where does a tile end, and where does the next one begin?
wrong dot_above_1: not-a-number | What is the largest cosine, and what may rounding make of it?
wrong of_longitudes_only: not-a-number | Which values can h take, and which values does this one take?
wrong two_inside: wrong-distance | What does the arcsine of more than 1 give?
wrong own_place: shared-unwritten | Of which reference is this cosine?
wrong chord: wrong-distance | How long is the chord of a small angle, and how long is the sine of half of it?
wrong all_threads: out-of-bounds | How many threads are launched for 130 observations?
wrong flat: cosine-missing | How long is a degree of longitude in the north?
wrong h_for_distance: wrong-distance | Which is asked for: h, or the angle?
wrong zeros_count: past-the-end | Of which reference are these zeros?
wrong begins_with_half: wrong-start | How large may h be?
wrong early_return: divergent-barrier | For which threads do the others wait?
wrong no_second_barrier: race | Which threads still read this tile?
wrong full_last_tile: shared-unwritten | How many references are in the last tile?
wrong dot_product: rounding | How many digits has a float near 1, and how much does a cosine change near 0?
wrong small_blocks: reads-again | It is right. How many warps use a reference that a block has loaded?
wrong half_angle: wrong-distance | The haversine formula begins with a 2.
extra:
  An index: sort the references into cells of a grid on the sphere, and look only into cells near the observation
  (variants/knn/cpu_index.c). How many pairs are left?
discuss:
  Which of your steps helped most? Which did not help at all, and had you expected that?
*/
/*
 * 18 Beat the table: the nearest reference, in any way you like.
 */
#include "common/cuda.h"
#include "common/knn.h"
#include "common/variant.h"

#if WRONG_small_blocks
enum { TILE = 32 }; /* threads of a block */
#else
enum { TILE = 256 }; /* threads of a block */
#endif

/* On the device, like everything that begins with d_. */
static float *d_obs_lat, *d_obs_lon, *d_ref_lat, *d_ref_lon, *d_distance;
static uint32_t *d_index;

__global__ static void nearest(size_t m, size_t n, const float *obs_lat, const float *obs_lon,
                               const float *ref_lat, const float *ref_lon, uint32_t *index,
                               float *distance)
{
    size_t i = (size_t)blockIdx.x * TILE + threadIdx.x; /* this thread's observation */
#if WRONG_begins_with_half
    float least = 0.5f; /* of the h of all references */
#else
    float least = INFINITY; /* of the h of all references */
#endif
    uint32_t which = 0;

#if STARTER
    if (i >= m)
        return;
    for (size_t j = 0; j < n; j++) {
        float sin_lat = sinf((ref_lat[j] - obs_lat[i]) / 2);
        float sin_lon = sinf((ref_lon[j] - obs_lon[i]) / 2);
        float h = sin_lat * sin_lat + cosf(obs_lat[i]) * cosf(ref_lat[j]) * sin_lon * sin_lon;

        if (h < least) {
            least = h;
            which = (uint32_t)j;
        }
    }
#elif WRONG_early_return
    __shared__ float tile_lat[TILE], tile_lon[TILE], tile_cos[TILE];
    if (i >= m)
        return;
    const bool mine = true;
    const float lat = obs_lat[i], lon = obs_lon[i], cos_lat = cosf(lat);
#elif WRONG_all_threads
    __shared__ float tile_lat[TILE], tile_lon[TILE], tile_cos[TILE];
    const bool mine = i < m;
    const float lat = obs_lat[i], lon = obs_lon[i], cos_lat = cosf(lat);
#else
    __shared__ float tile_lat[TILE], tile_lon[TILE], tile_cos[TILE];
    const bool mine = i < m;
    const float lat = mine ? obs_lat[i] : 0, lon = mine ? obs_lon[i] : 0, cos_lat = cosf(lat);
#endif

#if STARTER
#elif WRONG_zeros_count
    for (size_t first = 0; first < n; first += TILE) {
        tile_lat[threadIdx.x] = tile_lon[threadIdx.x] = 0;
        if (first + threadIdx.x < n) {
            tile_lat[threadIdx.x] = ref_lat[first + threadIdx.x];
            tile_lon[threadIdx.x] = ref_lon[first + threadIdx.x];
#elif WRONG_tiles_apart
    for (size_t first = 0; first < n; first += TILE + 1) {
        if (first + threadIdx.x < n) {
            tile_lat[threadIdx.x] = ref_lat[first + threadIdx.x];
            tile_lon[threadIdx.x] = ref_lon[first + threadIdx.x];
#else
    for (size_t first = 0; first < n; first += TILE) {
        if (first + threadIdx.x < n) {
            tile_lat[threadIdx.x] = ref_lat[first + threadIdx.x];
            tile_lon[threadIdx.x] = ref_lon[first + threadIdx.x];
#endif
#if STARTER
#elif WRONG_half_the_latitude
            tile_cos[threadIdx.x] = cosf(tile_lat[threadIdx.x] / 2);
        }
        __syncthreads(); /* the tile is complete */
#elif WRONG_zeros_count
        }
        tile_cos[threadIdx.x] = cosf(tile_lat[threadIdx.x]);
        __syncthreads(); /* the tile is complete */
#elif WRONG_first_tile_again
            tile_lon[threadIdx.x] = ref_lon[threadIdx.x];
            tile_cos[threadIdx.x] = cosf(tile_lat[threadIdx.x]);
        }
        __syncthreads(); /* the tile is complete */
#elif WRONG_longitude_cosine
            tile_cos[threadIdx.x] = cosf(tile_lon[threadIdx.x]);
        }
        __syncthreads(); /* the tile is complete */
#else
            tile_cos[threadIdx.x] = cosf(tile_lat[threadIdx.x]);
        }
        __syncthreads(); /* the tile is complete */
#endif
#if STARTER
#elif WRONG_full_last_tile || WRONG_zeros_count
        for (unsigned t = 0; t < TILE; t++) {
#else
        for (unsigned t = 0; t < TILE && first + t < n; t++) {
#endif
#if STARTER
#elif WRONG_dot_product
            float dot = sinf(lat) * sinf(tile_lat[t]) + cos_lat * tile_cos[t] * cosf(tile_lon[t] - lon);
            float h = (1 - fminf(dot, 1)) / 2;
#elif WRONG_whole_difference
            float sin_lat = sinf(tile_lat[t] - lat), sin_lon = sinf((tile_lon[t] - lon) / 2);
            float h = sin_lat * sin_lat + cos_lat * tile_cos[t] * sin_lon * sin_lon;
#elif WRONG_own_cosine_twice
            float sin_lat = sinf((tile_lat[t] - lat) / 2), sin_lon = sinf((tile_lon[t] - lon) / 2);
            float h = sin_lat * sin_lat + cos_lat * cos_lat * sin_lon * sin_lon;
#elif WRONG_sines
            float sin_lat = sinf((tile_lat[t] - lat) / 2), sin_lon = sinf((tile_lon[t] - lon) / 2);
            float h = sin_lat * sin_lat + sinf(lat) * sinf(tile_lat[t]) * sin_lon * sin_lon;
#elif WRONG_sum_of_latitudes
            float sin_lat = sinf((tile_lat[t] + lat) / 2), sin_lon = sinf((tile_lon[t] - lon) / 2);
            float h = sin_lat * sin_lat + cos_lat * tile_cos[t] * sin_lon * sin_lon;
#elif WRONG_cosine_once
            float sin_lat = sinf((tile_lat[t] - lat) / 2), sin_lon = sinf((tile_lon[t] - lon) / 2);
            float h = sin_lat * sin_lat + cos_lat * tile_cos[0] * sin_lon * sin_lon;
#elif WRONG_dot_above_1
            float dot = sinf(lat) * sinf(tile_lat[t]) + cos_lat * tile_cos[t] * cosf(tile_lon[t] - lon);
            float h = 1 - dot;
#elif WRONG_of_longitudes_only
            float sin_lat = sinf((tile_lat[t] - lat) / 2), sin_lon = sinf((tile_lon[t] - lon) / 2);
            float h = cos_lat * tile_cos[t] * sin_lon * sin_lon - sin_lat;
#elif WRONG_own_place
            float sin_lat = sinf((tile_lat[t] - lat) / 2), sin_lon = sinf((tile_lon[t] - lon) / 2);
            float h = sin_lat * sin_lat + cos_lat * tile_cos[threadIdx.x] * sin_lon * sin_lon;
#elif WRONG_chord
            float x = tile_cos[t] * cosf(tile_lon[t]) - cos_lat * cosf(lon);
            float y = tile_cos[t] * sinf(tile_lon[t]) - cos_lat * sinf(lon);
            float z = sinf(tile_lat[t]) - sinf(lat);
            float h = x * x + y * y + z * z;
#elif WRONG_flat
            float sin_lat = sinf((tile_lat[t] - lat) / 2), sin_lon = sinf((tile_lon[t] - lon) / 2);
            float h = sin_lat * sin_lat + sin_lon * sin_lon;
#else
            float sin_lat = sinf((tile_lat[t] - lat) / 2), sin_lon = sinf((tile_lon[t] - lon) / 2);
            float h = sin_lat * sin_lat + cos_lat * tile_cos[t] * sin_lon * sin_lon;
#endif
#if STARTER
#else

            if (h < least) {
                least = h;
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
    if (!mine)
        return;
#endif
#if WRONG_no_second_barrier
    if (!mine)
        return;
#endif
    index[i] = which;
#if WRONG_h_for_distance
    distance[i] = least;
#elif WRONG_dot_above_1
    distance[i] = acosf(1 - least);
#elif WRONG_two_inside
    distance[i] = asinf(2 * sqrtf(fminf(least, 1)));
#elif WRONG_half_angle
    distance[i] = asinf(sqrtf(fminf(least, 1)));
#else
    distance[i] = 2 * asinf(sqrtf(fminf(least, 1)));
#endif
}

/* --- the host's side: yours as well, if you like ------------------------------------------------ */

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

VARIANT(.idea = "my own way to the nearest",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
