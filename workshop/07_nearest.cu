/* EXERCISE
title: Nearest, one thread each
problem: knn
concept: a minimum for each thread, much arithmetic for few bytes
minutes: 25
story:
  Ships report where they are; which weather station is nearest to each? There are m observations and n
  references, each with latitude and longitude in radians, and the distance on a sphere is the
  haversine formula's. Every ship looks at every station: m * n distances, and each takes several sines
  and cosines. But only 8 bytes of a station are read for each, and all ships of a warp look at the same
  one at the same moment.
task:
  Fill in the loop of the kernel: go through all references, keep the nearest one's index and distance in
  two variables, and write both when the loop is done. haversine() is there (__device__ marks a function that
  kernels call), and so is INFINITY, as in math.h. Of references at the same distance, the one with
  the lowest index counts. As in exercise 03, the last block may have more threads than observations.
now: no answer is written
goal: 32 observations side by side in 4 sectors, and one store of a warp for each of the two answers
why: what is kept in variables stays in registers; what is written to distance[i] in the loop goes to
  memory, m * n times at worst
sizes: m=0,n=5,k=1 m=1,n=1,k=1 m=33,n=1,k=1 m=2,n=3,k=1 m=31,n=31,k=1 m=64,n=64,k=1 m=130,n=130,k=1
  m=257,n=300,k=1 m=127,n=257,k=1
count: m=256,n=256,k=1
gate: sectors_per_request <= 4.6 | strided | The observations of neighbouring threads are not side by side. (A reference that all threads read at once is 1 sector.)
gate: store_requests <= 16 | memory-in-loop | 256 observations are 8 warps, which write two answers each: 16 stores. More means that the loop writes to memory.
clock: m=65536,n=8192,k=1 | knn/cuda_naive | solution | 0.8 | A number like 2.0 is a double, and so is what sin() gives: in
  double precision this takes half as long again on a card made for computing, and many times as long on others.
  Write 2, and sinf. And look for what is done in the loop, and need be done only once.
starter: nothing-written
hint 1:
  What is the smallest distance before any reference was looked at? It must be larger than any that can
  come.
hint 2:
  Equal distances: the first one that was found must stay, so which comparison is it, < or <=? And
  threads behind the last observation must write nothing.
hint 3:
  nearest distance so far: infinite; its index: 0
  for each reference j
      d = its distance from this thread's observation
      if it is less than the nearest so far
          keep d and j
  write both
say out-of-bounds: _obs_ |
  There are more threads than observations, as the launch rounds up: a thread whose i is m or more has none.
say out-of-bounds: _ref_ |
  There are n references, 0 to n - 1, and m observations, 0 to m - 1: which of the two does the index count,
  and how far does its loop go?
say out-of-bounds:
  There are more threads than observations, as the launch rounds up: a thread whose i is m or more has none.
say nothing-written: index |
  index[i] is not written. When the loop is done, index[i] and distance[i] both are.
say nothing-written: distance, |
  distance[i] is not written. When the loop is done, index[i] and distance[i] both are.
say wrong-start:
  A distance on a sphere is at most pi, in radians. The search must begin with more, or with the first
  reference.
say wrong-index:
  Distance and index belong together: when one is kept, so is the other. Has the `if` braces?
say tie-rule:
  With <= a later reference takes the place of an earlier one at the same distance.
say race:
  Threads write to the same place: index[0], for all of them? Each has its own observation i.
wrong no_guard: out-of-bounds | How many threads are there for 257 observations?
wrong or_equal: tie-rule | Two stations at one place: which of them stays?
wrong starts_at_zero: wrong-start | Is there a distance below 0?
wrong no_last: last-missed | Which is the last reference's index?
wrong no_first: first-missed | Which is the first reference's index?
wrong never_kept: index-left | Two things are known of the nearest so far. Which of them is kept?
wrong to_m: out-of-bounds | How many references are there, m or n?
wrong no_index: nothing-written | How many answers has an observation?
wrong no_braces: wrong-index | Which lines belong to the if?
wrong starts_at_one: wrong-start | How far apart can two places be, in radians?
wrong order_of_arguments: exchanged-arguments | Read haversine's parameters one by one.
wrong in_memory: memory-in-loop | Right. Where does the nearest distance live while the loop runs?
wrong strided: strided | Right. Which observations have thread 0 and thread 1?
wrong farthest: farthest | In which direction does the comparison go?
extra:
  Most of the arithmetic does not depend on the reference, or grows with the distance anyway. What can be
  taken out of the loop, and what need only be done for the nearest? (variants/knn/cuda_shared.cu)
discuss:
  Is this kernel limited by the memory or by the arithmetic? 8 bytes of a reference are read by each
  thread, for some hundred operations.
*/
/*
 * 07 Nearest, one thread each: the nearest reference of every observation, on a sphere.
 *
 * Fill in the loop of the kernel.
 */
#include "common/cuda.h"
#include "common/knn.h"
#include "common/variant.h"

static const int threads = 128; /* in a block */

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
#if WRONG_strided
    size_t i = (size_t)threadIdx.x * gridDim.x + blockIdx.x;
#else
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; /* this thread's observation */
#endif

#if STARTER
    /* Keep the nearest in two variables while you go through all n references, then write
       index[i] and distance[i]. */
#elif WRONG_no_guard
    float least = INFINITY;
    uint32_t which = 0;
#elif WRONG_starts_at_zero
    if (i >= m)
        return;

    float least = 0;
    uint32_t which = 0;
#elif WRONG_starts_at_one
    if (i >= m)
        return;

    float least = 1;
    uint32_t which = 0;
#else
    if (i >= m)
        return;

    float least = INFINITY;
    uint32_t which = 0;
#endif

#if STARTER
#elif WRONG_or_equal
    for (size_t j = 0; j < n; j++) {
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d <= least) {
            least = d;
            which = (uint32_t)j;
        }
    }
    index[i] = which;
    distance[i] = least;
#elif WRONG_no_last
    for (size_t j = 0; j + 1 < n; j++) {
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
    index[i] = which;
    distance[i] = least;
#elif WRONG_no_first
    for (size_t j = 1; j < n; j++) {
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
    index[i] = which;
    distance[i] = least;
#elif WRONG_never_kept
    for (size_t j = 0; j < n; j++)
        least = fminf(least, haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]));
    index[i] = which;
    distance[i] = least;
#elif WRONG_to_m
    for (size_t j = 0; j < m; j++) {
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
    index[i] = which;
    distance[i] = least;
#elif WRONG_no_index
    for (size_t j = 0; j < n; j++)
        least = fminf(least, haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]));
    distance[i] = least;
#elif WRONG_no_braces
    for (size_t j = 0; j < n; j++) {
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least)
            least = d;
        which = (uint32_t)j;
    }
    index[i] = which;
    distance[i] = least;
#elif WRONG_order_of_arguments
    for (size_t j = 0; j < n; j++) {
        float d = haversine(obs_lat[i], ref_lat[j], obs_lon[i], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
    index[i] = which;
    distance[i] = least;
#elif WRONG_in_memory
    distance[i] = least;
    index[i] = which;
    for (size_t j = 0; j < n; j++) {
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < distance[i]) {
            distance[i] = d;
            index[i] = (uint32_t)j;
        }
    }
#elif WRONG_farthest
    least = -1;
    for (size_t j = 0; j < n; j++) {
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d > least) {
            least = d;
            which = (uint32_t)j;
        }
    }
    index[i] = which;
    distance[i] = least;
#else
    for (size_t j = 0; j < n; j++) {
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) { /* of equal distances, the first one stays */
            least = d;
            which = (uint32_t)j;
        }
    }
    index[i] = which;
    distance[i] = least;
#endif
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
    size_t blocks = (p->m + threads - 1) / threads;

    if (blocks == 0)
        return;
    nearest<<<(unsigned)blocks, threads>>>(p->m, p->n, d_obs_lat, d_obs_lon, d_ref_lat, d_ref_lon,
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

VARIANT(.idea = "one thread an observation, mine",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
