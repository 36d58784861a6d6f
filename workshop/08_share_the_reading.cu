/* EXERCISE
title: Share the reading
problem: knn
concept: shared memory, a tile, and its two barriers
minutes: 25
story:
  In exercise 07 every thread reads every reference from the card's memory: m * n times 8 bytes. But the
  256 threads of a block all need the same ones. They can bring them together: each thread reads one
  reference and puts it into shared memory (__shared__), which the block has for itself and which is nearly
  as quick as a register; then all threads go through these 256, and the block fetches the next 256, the
  next tile. The threads of a block do not run in step. __syncthreads() is a barrier: nobody goes on before
  all threads of the block have come to it, and all of them must come.
task:
  Below is a kernel that is right and reads all from global memory. Change it so that a block brings a tile
  of TILE references to tile_lat and tile_lon, and goes through these. Think of three things: all must
  have written before anyone reads; all must have read before anyone writes the next tile; and the
  last tile may not be full.
now: each thread reads 8 bytes of every reference
goal: each block does, once for all its threads: a hundredth of the bytes, and less
why: 512 observations are 2 blocks. 512 references * 8 bytes * 2 blocks are 8192 bytes, and the
  observations themselves 4096. With one thread each it was 512 * 512 * 8 bytes, two million
sizes: m=0,n=5,k=1 m=1,n=1,k=1 m=33,n=1,k=1 m=2,n=3,k=1 m=257,n=256,k=1 m=64,n=257,k=1 m=130,n=777,k=1
  m=300,n=512,k=1
count: m=512,n=512,k=1
gate: load_bytes <= 16384 | reads-again | Every thread still reads every reference from global memory.
gate: floats_per_load >= 28 | single-thread | A few threads bring the tile, and the others wait for them. Each should bring one reference.
gate: load_sectors_per_request <= 4.5 | strided | The tile is read in an order in which neighbouring threads do not read neighbours.
clue: fewer than 2 __syncthreads | - | shared-unwritten | There are fewer than two barriers in the kernel.
clock: m=65536,n=8192,k=1 | starter | solution | - | A hundredth of the bytes, and it is no faster: the card's cache has had the
  references ready all along, and the sines and cosines are what takes the time. Exercise 18 goes on from here.
starter: reads-again
hint 1:
  Between the moment in which thread 5 has written its reference into the tile and the moment in which
  thread 200 reads it: what makes sure that they come in this order? And what happens at the start of
  the next tile to a thread that is still busy with this one?
hint 2:
  A thread without an observation of its own must still bring its references, and come to every
  barrier. At n = 777 the last tile has 9 references: who writes the others, and who must not read
  them?
hint 3:
  for each tile, by its first reference
      if there is a reference for this thread: bring it to the tile
      barrier
      for each reference that is in the tile
          distance, and keep the nearest: its index counts from the first of all, not of the tile
      barrier
  if there is an observation: write the answer
say divergent-barrier: have returned |
  Threads without an observation have returned. They must come to the barriers as well; only their answer
  is not written.
say divergent-barrier:
  A barrier stands where some threads do not come by: in an `if`, or in a loop that turns less often for
  them. Put only the work under the condition, and the barrier behind it.
say shared-unwritten: barriers |
  A thread reads from the tile before another one has written there: a barrier must be between the two.
say shared-unwritten: byte 0 of the shared array tile_lon |
  Nobody brings the longitude to the tile.
say shared-unwritten:
  A thread reads from the tile what nobody brings. The last tile is not full: how many references has it?
  And all threads bring one, also those without an observation.
say race:
  A thread reads the tile while another writes the next one: between the end of the inner loop and the
  next tile there must be a barrier, too.
say out-of-bounds:
  The last tile is not full: a thread whose reference would be n or more has nothing to bring.
wrong no_first_barrier: shared-unwritten | Who writes tile_lat[200], and when does thread 0 read it?
wrong no_second_barrier: race | Thread 0 is done with the tile. Is thread 255?
wrong early_return: divergent-barrier | What do the others wait for, if this thread has gone?
wrong barrier_in_if: divergent-barrier | Which threads come to this barrier in the last tile?
wrong only_latitude: shared-unwritten | How many numbers has a place on a sphere?
wrong small_tile: shared-out-of-bounds | How many references does a block bring at once?
wrong thread_0_brings: single-thread | It is right. What do 255 threads do meanwhile?
wrong full_last_tile: shared-unwritten | How many references are in the last tile of 777?
wrong no_guard: out-of-bounds | Which reference does thread 255 bring in the last tile?
wrong index_in_tile: index-in-tile | Reference 3 of the second tile: which number has it?
wrong reset_in_loop: overwritten | What happens to the nearest of the first tile when the second begins?
wrong whole_tiles: partial-tile | How often does the loop turn for 777 references?
extra:
  What depends on the reference alone, its cosine for one, could be computed once for the block, and put
  into the tile. How many cosines are saved?
discuss:
  On a card the references of exercise 07 come from a cache most of the time. Why is the tile still
  worth it? What else is in the inner loop?
*/
/*
 * 08 Share the reading: each block brings the references to shared memory, a tile at a time.
 *
 * The kernel is right, and reads too much.  Let it read from the tile.
 */
#include "common/cuda.h"
#include "common/knn.h"
#include "common/variant.h"

enum { TILE = 256 }; /* threads of a block, and references of a tile: each thread brings one */

/* On the device, as all that begins with d_. */
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
#else
    __shared__ float tile_lat[TILE], tile_lon[TILE];
#endif
    size_t i = (size_t)blockIdx.x * TILE + threadIdx.x; /* this thread's observation */
#if WRONG_early_return
    if (i >= m)
        return;
    bool mine = true;
#else
    bool mine = i < m; /* there is one */
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
#elif WRONG_only_latitude
        if (first + threadIdx.x < n)
            tile_lat[threadIdx.x] = ref_lat[first + threadIdx.x];
#elif WRONG_thread_0_brings
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
#if STARTER || WRONG_no_first_barrier || WRONG_barrier_in_if
#else
        __syncthreads(); /* the tile is complete */
#endif
#if STARTER
#elif WRONG_full_last_tile
        for (size_t t = 0; t < TILE; t++) {
#else
        for (size_t t = 0; t < TILE && first + t < n; t++) {
#endif
#if STARTER
#elif WRONG_index_in_tile
            float d = haversine(lat, lon, tile_lat[t], tile_lon[t]);

            if (d < least) {
                least = d;
                which = (uint32_t)t;
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
        __syncthreads(); /* and all are done with it */
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
