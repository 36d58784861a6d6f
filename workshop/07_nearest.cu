/* EXERCISE
title: Nearest, one thread each
problem: knn
concept: a minimum for each thread, much arithmetic for few bytes
minutes: 25
story:
  Ships report where they are. Which weather station is nearest to each ship? There are m observations (the ships) and n
  references (the stations), each with latitude and longitude in radians. The haversine formula gives the distance between two
  places on a sphere. Every ship is compared with every station, so there are m * n distances, and each takes several sines and
  cosines. But a station is only 8 bytes, and all ships of a warp read the same station at the same time.
task:
  Write the loop of the kernel. Go through all references, and keep the index and the distance of the nearest one in two
  variables. Write both when the loop is done. Of references at the same distance, the one with the lowest index counts.

  haversine() is there; __device__ marks a function that kernels call. INFINITY is there, too, as in math.h. As in exercise
  03, the last block may have more threads than there are observations.
now: no result is written
goal: 32 neighbouring observations in 4 sectors, and one store of a warp for each of the two results
why: a variable stays in a register; distance[i] is in memory, and a loop that writes to it does so up to m * n
  times
sizes: m=0,n=5,k=1 m=1,n=1,k=1 m=33,n=1,k=1 m=2,n=3,k=1 m=31,n=31,k=1 m=64,n=64,k=1 m=130,n=130,k=1
  m=1100,n=33,k=1 m=257,n=300,k=1 m=127,n=257,k=1
count: m=256,n=256,k=1
gate: sectors_per_request <= 4.6 | strided | The observations of neighbouring threads are not side by side in memory. (A reference that all threads read at once is 1 sector.)
gate: store_requests <= 16 | memory-in-loop | 256 observations are 8 warps, and each warp writes two results: 16 stores. More stores mean that the loop writes to memory.
clue: <= least | --, -= | tie-rule | With <= a later reference replaces an earlier one at the same distance.
clue: >= d | --, -= | tie-rule | With >= a later reference replaces an earlier one at the same distance.
clock: m=65536,n=8192,k=1 | knn/cuda_naive | solution | 0.8 | A constant like 2.0 is a double, and sin() computes in double. Double
  precision takes about 1.4 times as long on an H200, and many times as long on a GPU for graphics. Write 2 and sinf. Also look
  for work in the loop that needs to be done only once.
starter: nothing-written
hint 1:
  What is the smallest distance before any reference was looked at? It must be larger than any distance that can come.
hint 2:
  Of equal distances, the first one must stay. Which comparison does that need, < or <=? And a thread behind the last
  observation must write nothing.
hint 3:
  nearest distance so far: infinite; its index: 0
  for each reference j
      d = its distance from this thread's observation
      if it is less than the nearest so far
          keep d and j
  write both
say out-of-bounds: of its own |
  There are more threads than observations, because the launch rounds up. A thread whose i is m or more has no observation.
say out-of-bounds: _obs_ |
  This thread has an observation. Is the index of the observation i, and not j? And does the guard compare i with m?
say out-of-bounds: of the observation |
  This reference has the number of the thread's observation, i. The loop counts the references, j.
say out-of-bounds: end of the loop |
  Every observation is compared with all references: for each thread the loop ends at n.
say out-of-bounds: _ref_ |
  There are n references, 0 to n - 1, and the loop goes on behind the last one: it ends at n, and not at m.
say out-of-bounds:
  There are more threads than observations, because the launch rounds up. A thread whose i is m or more has no observation.
say index-in-tile:
  There is no tile here, but 256 numbers are as many as one byte can hold. Which type has the variable that keeps the index?
say cut-off:
  Which type has the variable that keeps a distance? An int has no fraction.
say wrong-index: of two references together |
  If two references are compared at once, each of them has a number of its own: keep that of the nearer one.
say wrong-index: behind the loop |
  Which reference is the nearest? Keep its number in a variable when it is found, and write that.
say wrong-index: number of the observation |
  index[i] is to be the number of the reference that was kept, j.
say alone:
  Each thread has an observation of its own, and goes through all references: j begins at 0, and counts up by one.
say overwritten:
  The search begins once, before the loop. And a reference is kept only if it is nearer than the nearest so far.
say not-reset:
  The least distance gets its first value, INFINITY, for each observation: inside of the loop over a thread's observations.
say first-reference:
  Does the loop go on after the first reference that was kept? Is the reference's index j, and is the new distance compared with
  the least so far?
say nothing-written: the array is d_index |
  index[i] is not written. Write index[i] and distance[i] when the loop is done.
say nothing-written: the array is d_distance |
  distance[i] is not written. Write index[i] and distance[i] when the loop is done.
say nothing-written: index |
  index[i] is not written. Write index[i] and distance[i] when the loop is done.
say nothing-written: distance, |
  distance[i] is not written. Write index[i] and distance[i] when the loop is done.
say distance-left:
  If a reference is nearer, keep two things: j in which, and d in least, with which the next reference is compared.
say none-kept:
  Which way does the comparison go? A reference is kept if its distance is less than the nearest so far, and the search begins
  with a distance that every other one is less than.
say wrong-start:
  A distance on a sphere is at most pi, in radians. The search must begin with more than that, or with the first reference.
say misplaced:
  The observation of this thread has number i, the same for all references. Only the references are counted by j.
say wrong-index: and there are |
  No reference has this number. Which statement has set the variable, or index[i]: one in the loop, where j is below n, one before it, or
  none at all? It needs a value in every case.
say wrong-index:
  Distance and index belong together: when one is kept, the other must be kept, too. Has the `if` braces?
say tie-rule:
  Of references at the same distance the one with the lowest index counts. In a loop that counts up, a later one must not replace it (<); in
  one that counts down, it must (<=).
say race: do this, and |
  Each thread has an observation of its own, so each writes to places of its own: their number is that of the observation.
say race: one variable |
  What is declared with __shared__ is one variable for all threads of the block. A thread's nearest so far belongs into variables of its
  own.
say race:
  Several threads write to the same place. Do all of them write to index[0]? Each thread has its own observation i.
wrong no_guard: out-of-bounds | How many threads are there for 257 observations?
wrong sum_as_bound: wrong-half | Can two places be nearer than the sum of their differences in latitude and longitude?
wrong or_equal: tie-rule | Two stations at one place: which of them stays?
wrong starts_at_zero: wrong-start | Is there a distance below 0?
wrong no_last: last-missed | What is the last reference's index?
wrong no_first: first-missed | What is the first reference's index?
wrong never_kept: index-left | Two values describe the nearest so far. Which of them is kept?
wrong to_m: out-of-bounds | How many references are there, m or n?
wrong no_index: nothing-written | How many results has an observation?
wrong no_braces: wrong-index | Which lines belong to the if?
wrong starts_at_one: wrong-start | How far apart can two places be, in radians?
wrong every_own: alone | Where does the loop over j begin, and by how much does j grow?
wrong own_number: wrong-index | Whose number is kept?
wrong ref_turned: exchanged-arguments | In which order has haversine the latitude and the longitude?
wrong no_distance: nothing-written | How many results has an observation, and which of them is written?
wrong order_of_arguments: exchanged-arguments | Read haversine's parameters one by one.
wrong in_memory: memory-in-loop | It is right. Where is the nearest distance while the loop runs: in a register or in memory?
wrong strided: strided | It is right. Which observations have thread 0 and thread 1?
wrong two_each: not-reset | With what is the first reference compared when a thread's second observation begins?
wrong with_the_first: overwritten | With what is the third reference compared?
wrong whole: cut-off | What is 0.7 as an int?
wrong two_together: wrong-index | Which of the two references is the nearer one?
wrong index_only: distance-left | With what is the second reference compared?
wrong other_way: none-kept | Is any distance greater than INFINITY?
wrong last_of_equal: tie-rule | Which of two equal ones is found last?
wrong of_own_number: out-of-bounds | Which number has the reference in this iteration?
wrong gives_up: wrong-half | What if the third reference is nearer than the first?
wrong turned_results: exchanged | Which of the two is a whole number?
wrong shared_least: race | How many variables are there that are declared with __shared__?
wrong first_unnumbered: wrong-index | Whose distance is kept before the loop, and which number?
wrong farthest: farthest | Which way does the comparison go?
extra:
  Which part of the formula does not depend on the reference, and can be taken out of the loop? And which part grows with h, so
  that it is enough to compute it for the nearest reference? (variants/knn/cuda_shared.cu)
discuss:
  Is this kernel bound by memory or by arithmetic? A thread reads 8 bytes of a reference, and does some hundred operations
  with them.
*/
/*
 * 07 Nearest, one thread each: the nearest reference of every observation, on a sphere.
 *
 * Write the loop of the kernel.
 */
#include "common/cuda.h"
#include "common/knn.h"
#include "common/variant.h"

static const int threads = 128; /* in a block */

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
#elif WRONG_first_unnumbered
    if (i >= m)
        return;

    float least = haversine(obs_lat[i], obs_lon[i], ref_lat[0], ref_lon[0]);
    uint32_t which = (uint32_t)n;
#elif WRONG_shared_least
    __shared__ float least;
    uint32_t which = 0;

    least = INFINITY;
    if (i >= m)
        return;
#else
    if (i >= m)
        return;

    float least = INFINITY;
    uint32_t which = 0;
#endif

#if STARTER || WRONG_two_each || WRONG_never_kept || WRONG_no_index || WRONG_in_memory || WRONG_last_of_equal || WRONG_farthest
#elif WRONG_two_together
    for (size_t j = 0; j < n; j += 2) {
#elif WRONG_every_own
    for (size_t j = threadIdx.x; j < n; j += blockDim.x) {
#elif WRONG_no_last
    for (size_t j = 0; j + 1 < n; j++) {
#elif WRONG_no_first || WRONG_first_unnumbered
    for (size_t j = 1; j < n; j++) {
#elif WRONG_to_m
    for (size_t j = 0; j < m; j++) {
#else
    for (size_t j = 0; j < n; j++) {
#endif
#if STARTER
#elif WRONG_sum_as_bound
        if (fabsf(ref_lat[j] - obs_lat[i]) + fabsf(ref_lon[j] - obs_lon[i]) > least)
            continue;
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
#elif WRONG_or_equal
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d <= least) {
            least = d;
            which = (uint32_t)j;
        }
    }
#elif WRONG_with_the_first
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (j == 0 || d < haversine(obs_lat[i], obs_lon[i], ref_lat[0], ref_lon[0])) {
            least = d;
            which = (uint32_t)j;
        }
    }
#elif WRONG_whole
        int d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
#elif WRONG_two_together
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);
        float e = j + 1 < n ? haversine(obs_lat[i], obs_lon[i], ref_lat[j + 1], ref_lon[j + 1]) : INFINITY;

        if (fminf(d, e) < least) {
            least = fminf(d, e);
            which = (uint32_t)j;
        }
    }
#elif WRONG_index_only
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least)
            which = (uint32_t)j;
    }
#elif WRONG_own_number
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)i;
        }
    }
#elif WRONG_every_own
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
#elif WRONG_no_last
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
#elif WRONG_no_first || WRONG_first_unnumbered
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
#elif WRONG_to_m
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
#elif WRONG_no_braces
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least)
            least = d;
        which = (uint32_t)j;
    }
#elif WRONG_no_distance
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
    index[i] = which;
#elif WRONG_ref_turned
        float d = haversine(obs_lat[i], obs_lon[i], ref_lon[j], ref_lat[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
#elif WRONG_order_of_arguments
        float d = haversine(obs_lat[i], ref_lat[j], obs_lon[i], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
#elif WRONG_other_way
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d > least) {
            least = d;
            which = (uint32_t)j;
        }
    }
#elif WRONG_of_own_number
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[i], ref_lon[i]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
#elif WRONG_gives_up
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (!(d < least))
            break;
        least = d;
        which = (uint32_t)j;
    }
#elif WRONG_turned_results
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
    index[i] = (uint32_t)least;
    distance[i] = which;
#elif WRONG_two_each
    const size_t half = (m + 1) / 2;

    if (i >= half)
        return;
    for (; i < m; i += half) {
        for (size_t j = 0; j < n; j++) {
            float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

            if (d < least) {
                least = d;
                which = (uint32_t)j;
            }
        }
        index[i] = which;
        distance[i] = least;
    }
#elif WRONG_never_kept
    for (size_t j = 0; j < n; j++)
        least = fminf(least, haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]));
#elif WRONG_no_index
    for (size_t j = 0; j < n; j++)
        least = fminf(least, haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]));
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
#elif WRONG_last_of_equal
    for (size_t j = 0; j < n; j++)
        least = fminf(least, haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]));
    for (size_t j = 0; j < n; j++)
        if (haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]) == least)
            which = (uint32_t)j;
#elif WRONG_farthest
    least = -1;
    for (size_t j = 0; j < n; j++) {
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d > least) {
            least = d;
            which = (uint32_t)j;
        }
    }
#else
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) { /* of equal distances, the first one stays */
            least = d;
            which = (uint32_t)j;
        }
    }
#endif
#if STARTER || WRONG_no_distance || WRONG_turned_results || WRONG_two_each || WRONG_no_index || WRONG_in_memory
#else
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
