/* EXERCISE
title: Right every time, wrong anyway
problem: knn
concept: races, and why a right result does not rule them out
minutes: 15
story:
  A colleague brings a kernel for the nearest reference. Each observation has one block. Its threads share the references among
  them, and keep the nearest so far in shared memory, where all of them see it. The colleague has run it a hundred times on a
  small machine, and the result was right a hundred times. On another GPU it is sometimes wrong.

  The kernel was never right: it was lucky. The threads of a block run at the same time. When two of them use the same place, one
  of them writes, and nothing orders the two, that is a race.
task:
  - Find the race. Four statements are marked A to D. Two of them touch the same variable from several threads at the same time: one
  tests it, the other changes it (and the index with it). Write their letters behind "answer letters:" at the top of the file,
  and save: the verdict says whether they are right, before you repair anything.
  - Repair the kernel. Every thread keeps the nearest in variables of its own. Then it writes them into shared memory, one place for
  each thread: __shared__ float name[THREADS]. Then thread 0 looks for the best of them; of equal distances the lower index counts.
  Where must a barrier, __syncthreads(), stand?
now: the result is right, but two threads use the same place in no defined order
goal: no race, in five orders of threads
why: no rate of failure is acceptable: which thread is faster depends on the GPU, on the compiler, and on what else
  is running
sizes: m=0,n=5,k=1 m=1,n=1,k=1 m=33,n=1,k=1 m=2,n=3,k=1 m=31,n=31,k=1 m=64,n=64,k=1 m=17,n=127,k=1
  m=13,n=129,k=1 m=20,n=777,k=1 m=700,n=129,k=1
count: m=20,n=257,k=1
clue: without __shared__ | - | not-shared | The kernel has no __shared__, so no thread sees what another one has written.
clue: fewer than 1 __syncthreads | - | shared-unwritten | There is no barrier in the kernel.
answer letters: B C | Only one thread executes A, and a barrier stands before D. Between these two, all threads read what other threads change.
starter: race
hint 1:
  Thread 5 finds that its distance is below the nearest so far. Before it has written it, thread 6 finds the same for its own
  distance, which is a little larger. Which of the two distances stays?
hint 2:
  The lines B and C touch shared variables from all threads. A barrier between them does not help: all threads would still
  compare with the same value, and then several would write.
hint 3:
  each thread: nearest so far in its own variables, over references threadIdx.x, + THREADS, ...
  put both into shared arrays at place threadIdx.x
  barrier
  thread 0: goes through the places, keeps the nearest; of equal distances the lower index
say race: overwrites further on |
  In a step only the threads whose number is below the distance take part: the place of another one, which they read, must not change.
say race: do this, and |
  A barrier does not end the work of the other threads: behind it all of them go on. This is work for one thread: put it under
  if (threadIdx.x == 0).
say race: one variable |
  All threads use this one variable at the same time, and no barrier helps: give each thread a place of its own, by threadIdx.x.
say race: d_ |
  All threads of the block write the result. Only thread 0 may write index[i] and distance[i].
say race: same for both |
  All threads write to the same place. Each thread needs a place of its own: its number is threadIdx.x.
say race: the shared array |
  Each thread has a place of its own. Before a thread reads another one's place, all of them must have reached a barrier, __syncthreads().
say race:
  Two threads use the same place, one of them writes, and nothing orders the two.
say first-missed:
  Is reference 0 looked at, by thread 0? And who writes index[i] and distance[i]? Only thread 0 looks at all places, so only thread 0
  may write the result.
say alone:
  Thread 0 writes its own nearest. The other threads have found theirs, which lie in shared memory: compare with each of them. And
  do the threads look at different references? Thread t begins with reference t.
say divergent-barrier: in the loop of |
  A thread makes as many turns as it has references, and these numbers differ. The barrier belongs behind the loop.
say divergent-barrier: by the return |
  The threads that are named have left by the quoted return, and the others wait for them. They may leave behind the barrier only.
say divergent-barrier: under the condition |
  Threads for which this condition does not hold never reach the barrier. Only the work belongs under the condition, and the barrier
  behind it.
say divergent-barrier:
  All threads of the block must reach the same barriers, in the same order.
say shared-out-of-bounds:
  There are THREADS places, 0 to THREADS - 1, however many references there are. A thread's place is threadIdx.x.
say index-in-tile:
  There is no tile here, but 256 numbers are as many as one byte can hold. Which type has the variable that keeps the index?
say wrong-index: modulo |
  A place holds the number of a reference, j. The number of the thread says only which place it is.
say wrong-index:
  When a distance is taken over, the index that belongs to it is taken over, too: the one that the same thread has written.
say out-of-bounds: _ref_ |
  There are n references, 0 to n - 1. Where does this thread's loop end? A share that is rounded up may reach past the last one.
say overwritten:
  A search begins once, before its loop, and each further distance is compared with the least so far: in a thread's own search, and in
  that of thread 0.
say wrong-half: even index |
  The last step, in which two places are left, is missing: the loop ends before it.
say wrong-half: the step |
  Half as many places are compared in each step, until one is left.
say wrong-half: threads have found |
  There are THREADS places, one for each thread, and all of them must be looked at.
say tie-rule:
  The places are in the order of threads, not of references. Thread 1 may have found reference 129, and thread 2 reference 2, at
  the same distance. Compare the indices, too.
say shared-unwritten: number of the thread decides |
  A thread makes as many turns as it has references, and these numbers differ. The barrier belongs behind the loop.
say shared-unwritten: __syncwarp() |
  The places are written by all warps of the block. So all of its threads must wait for each other: in __syncthreads().
say shared-unwritten: stands before line |
  The barrier is there, and too early: a thread waits there before it has written its place. Write first, then wait, then read.
say shared-unwritten: no barrier |
  A thread reads what another one has not written yet: between setting a value and using it in other threads stands a barrier.
say shared-unwritten: nothing at all |
  Shared memory holds no value at first. The quoted line reads the array before any thread has written into it: each thread gives its
  place a first value, such as an infinite distance.
say shared-unwritten: and none |
  The threads behind these have not written their places. A thread without a reference must write its place, too: an infinite
  distance. Or fewer places are to be read.
say shared-unwritten:
  Does a barrier stand between writing the places and reading them? A thread without a reference must write its place, too: an
  infinite distance. And is the place its own, by threadIdx.x?
wrong barrier_between: race | What does each thread know when it reaches the barrier, and what do they all do behind it?
wrong atomic_distance: race | The distance is safe now. And the index that belongs to it?
wrong barrier_first: shared-unwritten | What has each thread done when it reaches the barrier?
wrong no_barrier: shared-unwritten | When has thread 100 written its place?
wrong first_place_wins: tie-rule | Which of two equals is wanted: that of the lower thread, or that of the lower index?
wrong some_write: shared-unwritten | Which threads have no reference at all when n is 31?
wrong never_set: shared-unwritten | With which distance is the first one compared?
wrong only_warps: shared-unwritten | Which threads wait for each other in __syncwarp()?
wrong turns_wait: shared-unwritten | How many turns does thread 100 make if n is 31?
wrong all_search: race | Which threads execute this loop?
wrong one_warp: race | How many threads have a warp number of 0?
wrong one_key: race | Who sets the key, and when?
wrong only_own: alone | Which references has thread 0 looked at?
wrong all_write: race | Which threads execute this line?
wrong halves: wrong-half | How many places are there, and how many does thread 0 look at?
wrong thread_number: wrong-index | Which number must stand beside a distance?
wrong share_not_cut: out-of-bounds | Where does the last thread's share end?
wrong unanswered: not-answered | Which lines do several threads execute at the same time?
wrong other_letters: wrong-answer | Which threads execute A, and which execute D?
extra:
  Let the threads find the best of the places in pairs: 64 threads compare two each, then 32, and so on. How many barriers does
  that need, and how many comparisons one after another?
discuss:
  How would you test for a race, if a right result proves nothing?
*/
/*
 * 09 Right every time, wrong anyway: one block an observation, and a race.
 *
 * Which two of the lines A, B, C and D race with each other?
 * Write two letters in place of the question marks.
 */
#if STARTER || WRONG_unanswered
/* answer letters: ? ? */
#elif WRONG_other_letters
/* answer letters: A D */
#else
/* answer letters: B C */
#endif
#include "common/cuda.h"
#include "common/knn.h"
#include "common/variant.h"

enum { THREADS = 128 }; /* in a block */

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
    const size_t i = blockIdx.x; /* this block's observation */

#if STARTER
    __shared__ float least;
    __shared__ uint32_t which;

    if (threadIdx.x == 0) {
        least = INFINITY; /* A */
        which = 0;
    }
    __syncthreads();
    for (size_t j = threadIdx.x; j < n; j += THREADS) {
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least || (d == least && j < which)) { /* B */
            least = d; /* C */
            which = (uint32_t)j;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        distance[i] = least; /* D */
        index[i] = which;
    }
#elif WRONG_barrier_between
    __shared__ float least;
    __shared__ uint32_t which;

    if (threadIdx.x == 0) {
        least = INFINITY;
        which = 0;
    }
    __syncthreads();
    for (size_t first = 0; first < n; first += THREADS) {
        size_t j = first + threadIdx.x;
        float d = j < n ? haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]) : INFINITY;
        bool nearer = d < least || (d == least && j < which);

        __syncthreads();
        if (nearer) {
            least = d;
            which = (uint32_t)j;
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        distance[i] = least;
        index[i] = which;
    }
#elif WRONG_never_set
    __shared__ float place[THREADS];
    __shared__ uint32_t place_index[THREADS];

    for (size_t j = threadIdx.x; j < n; j += THREADS) {
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < place[threadIdx.x]) {
            place[threadIdx.x] = d;
            place_index[threadIdx.x] = (uint32_t)j;
        }
    }
    __syncthreads();
    for (unsigned t = 1; threadIdx.x == 0 && t < THREADS; t++)
        if (place[t] < place[0] || (place[t] == place[0] && place_index[t] < place_index[0])) {
            place[0] = place[t];
            place_index[0] = place_index[t];
        }
    if (threadIdx.x == 0) {
        distance[i] = place[0];
        index[i] = place_index[0];
    }
#elif WRONG_atomic_distance
    __shared__ unsigned least; /* as bits: of positive floats in the same order */
    __shared__ uint32_t which;

    if (threadIdx.x == 0) {
        least = __float_as_uint(INFINITY);
        which = 0;
    }
    __syncthreads();
    for (size_t j = threadIdx.x; j < n; j += THREADS) {
        unsigned d = __float_as_uint(haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]));
        unsigned before = atomicMin(&least, d);

        if (d < before || (d == before && j < which))
            which = (uint32_t)j;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        distance[i] = __uint_as_float(least);
        index[i] = which;
    }
#elif WRONG_one_key
    __shared__ unsigned long long key; /* the distance, as bits, and behind it the index */

    key = ~0ull;
    for (size_t j = threadIdx.x; j < n; j += THREADS) {
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        atomicMin(&key, (unsigned long long)__float_as_uint(d) << 32 | (unsigned)j);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        distance[i] = n > 0 ? __uint_as_float((unsigned)(key >> 32)) : INFINITY;
        index[i] = n > 0 ? (uint32_t)key : 0;
    }
#elif WRONG_turns_wait
    __shared__ float place[THREADS];
    __shared__ uint32_t place_index[THREADS];

    place[threadIdx.x] = INFINITY;
    place_index[threadIdx.x] = 0;
    for (size_t j = threadIdx.x; j < n; j += THREADS) {
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < place[threadIdx.x]) {
            place[threadIdx.x] = d;
            place_index[threadIdx.x] = (uint32_t)j;
        }
        __syncthreads();
    }
    for (unsigned half = THREADS / 2, t = threadIdx.x; half > 0; half /= 2) {
        if (t < half && (place[t + half] < place[t] || (place[t + half] == place[t] && place_index[t + half] < place_index[t]))) {
            place[t] = place[t + half];
            place_index[t] = place_index[t + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        distance[i] = place[0];
        index[i] = place_index[0];
    }
#elif WRONG_share_not_cut
    __shared__ float place[THREADS];
    __shared__ uint32_t place_index[THREADS];
    const size_t share = (n + THREADS - 1) / THREADS;
    float least = INFINITY;
    uint32_t which = 0;

    for (size_t j = threadIdx.x * share; j < (threadIdx.x + 1) * share; j++) {
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
#else
    __shared__ float place[THREADS];
    __shared__ uint32_t place_index[THREADS];
    float least = INFINITY;
    uint32_t which = 0;

    for (size_t j = threadIdx.x; j < n; j += THREADS) {
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }
#endif
#if STARTER || WRONG_barrier_between || WRONG_atomic_distance || WRONG_never_set || WRONG_one_key || WRONG_turns_wait
#elif WRONG_some_write
    if (threadIdx.x < n) {
        place[threadIdx.x] = least;
        place_index[threadIdx.x] = which;
    }
    __syncthreads();
#elif WRONG_thread_number
    place[threadIdx.x] = least;
    place_index[threadIdx.x] = threadIdx.x;
    __syncthreads();
#elif WRONG_barrier_first
    __syncthreads();
    place[threadIdx.x] = least;
    place_index[threadIdx.x] = which;
#elif WRONG_only_warps
    place[threadIdx.x] = least;
    place_index[threadIdx.x] = which;
    __syncwarp();
#elif WRONG_no_barrier
    place[threadIdx.x] = least;
    place_index[threadIdx.x] = which;
#else
    place[threadIdx.x] = least;
    place_index[threadIdx.x] = which;
    __syncthreads();
#endif
#if STARTER || WRONG_barrier_between || WRONG_atomic_distance || WRONG_never_set || WRONG_one_key || WRONG_turns_wait
#elif WRONG_first_place_wins
    if (threadIdx.x == 0) {
        for (unsigned t = 1; t < THREADS; t++)
            if (place[t] < least) {
                least = place[t];
                which = place_index[t];
            }
        distance[i] = least;
        index[i] = which;
    }
#elif WRONG_all_search
    for (unsigned t = 1; t < THREADS; t++)
        if (place[t] < place[0] || (place[t] == place[0] && place_index[t] < place_index[0])) {
            place[0] = place[t];
            place_index[0] = place_index[t];
        }
    __syncthreads();
    if (threadIdx.x == 0) {
        distance[i] = place[0];
        index[i] = place_index[0];
    }
#elif WRONG_one_warp
    const unsigned warp = threadIdx.x / 32;

    for (unsigned t = 1; warp == 0 && t < THREADS; t++)
        if (place[t] < place[0] || (place[t] == place[0] && place_index[t] < place_index[0])) {
            place[0] = place[t];
            place_index[0] = place_index[t];
        }
    if (threadIdx.x == 0) {
        distance[i] = place[0];
        index[i] = place_index[0];
    }
#elif WRONG_only_own
    if (threadIdx.x == 0) {
        distance[i] = least;
        index[i] = which;
    }
#elif WRONG_all_write
    distance[i] = least;
    index[i] = which;
#elif WRONG_halves
    if (threadIdx.x == 0) {
        for (unsigned t = 1; t < THREADS / 2; t++)
            if (place[t] < least || (place[t] == least && place_index[t] < which)) {
                least = place[t];
                which = place_index[t];
            }
        distance[i] = least;
        index[i] = which;
    }
#else
    if (threadIdx.x == 0) {
        for (unsigned t = 1; t < THREADS; t++)
            if (place[t] < least || (place[t] == least && place_index[t] < which)) {
                least = place[t];
                which = place_index[t];
            }
        distance[i] = least;
        index[i] = which;
    }
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
    if (p->m == 0)
        return;
    nearest<<<(unsigned)p->m, THREADS>>>(p->m, p->n, d_obs_lat, d_obs_lon, d_ref_lat, d_ref_lon,
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

VARIANT(.idea = "one block an observation, mine",
        .base = "cpu_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
