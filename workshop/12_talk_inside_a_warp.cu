/* EXERCISE
title: Talk inside a warp
problem: knn
concept: shuffles, and a minimum together with its index
minutes: 25
story:
  The 32 threads of a warp are called its lanes. They can read each other's registers: a shuffle gives each lane a value of
  another lane, without memory and without a barrier. So a warp can look for the nearest reference together. Each lane takes
  every 32nd reference. Then 32 results must become one. Lane 0 compares with lane 16, lane 1 with lane 17, and so on; then
  with lanes 8 apart, 4, 2 and 1. After five steps lane 0 has the result.
task:
  Each warp has one observation. Its lanes have found their nearest references already. The code below finds the best of them
  through shared memory and barriers. Do it with shuffles instead: distance and index, in five steps; then lane 0 writes. Of
  equal distances the lower index counts.

  __shfl_down_sync(0xffffffff, value, apart) returns the value that the lane `apart` places further on has passed to the same call.
  The first argument has a bit for each lane that takes part: here all 32. Where there is no such lane, beyond lane 31, a lane gets
  its own value back.
now: shared memory is written and read, with a barrier in each of five steps
goal: no barrier and no shared memory
why: at a barrier all warps of the block wait for the last one, though none needs anything from the others
sizes: m=0,n=5,k=1 m=1,n=1,k=1 m=33,n=1,k=1 m=2,n=3,k=1 m=31,n=31,k=1 m=64,n=64,k=1 m=17,n=127,k=1
  m=13,n=129,k=1 m=20,n=777,k=1
count: m=32,n=257,k=1
gate: barriers <= 0 | needless-barrier | A warp need not wait for other warps here: shuffles need no barrier.
gate: shared_requests <= 0 | needless-shared | The values can go from register to register, without shared memory.
clock: m=1048576,n=32,k=1 | starter | solution | - | With 32 references each lane computes one distance, so the cost of the barriers
  and of shared memory can be seen. It is small, and with thousands of references it disappears among the distances. So only the
  structure is judged.
starter: needless-barrier
hint 1:
  A lane holds two values, distance and index. A step compares the distances of two lanes. How does the index come along?
hint 2:
  All 32 lanes must take part in each shuffle, also lanes that have found nothing. So the shuffle must not stand behind a
  condition; the comparison may. A warp without an observation may leave as a whole.
hint 3:
  for 16, 8, 4, 2, 1 lanes apart
      the other's distance by a shuffle, the other's index by a shuffle
      if the other is nearer, or as near with a lower index: take over both
  lane 0 writes
say race: do this, and |
  Each lane does this, and one is enough: put it under a condition that holds for lane 0 of the warp alone.
say race: of each warp lane 0 |
  Each warp has an observation of its own: its number is that of the warp among all, threadIdx.x / 32 within the block.
say race: lanes of one warp |
  More than one lane of a warp fulfils the condition of this line, as all do whose own distance is the least. Which one lane is to write?
say gaps: only thread 0 writes |
  Each warp has an observation of its own, and its lane 0 writes the result. A lane's number begins at 0 in each warp: threadIdx.x % 32.
say index-in-tile:
  There is no tile here, but 256 numbers are as many as one byte can hold. Which type has the variable that keeps the index?
say wrong-index: the lane behind |
  The number of a lane is from 0 to 31. __ffs() counts bits from 1 on, so the lane is __ffs(mask) - 1.
say wrong-index:
  The distance that comes decides about both. Compare first, then take over distance and index together, and compare indices only
  where the two distances were equal before.
say out-of-bounds:
  A block has WARPS warps, and each has an observation only if there are so many: the launch rounds up. Lane 0 of a warp without
  one must not write.
say missing-lane: in the mask |
  The mask has a bit for each lane that takes part. All 32 do: 0xffffffff.
say none-kept:
  Lanes without a reference have an infinite distance, and here it has won: the smaller of two distances is the one to be kept.
say missing-lane: by the return |
  These lanes have left before, and a later step still needs what they would hand over. All 32 lanes make all steps.
say missing-lane: under the condition |
  Lanes for which this condition does not hold do not call the shuffle, but what they hold is to be handed over, or the mask names them.
  All 32 lanes call it, before the condition; only what is done with the value that comes belongs under it.
say missing-lane:
  0xffffffff says that all 32 lanes take part, so all of them must reach this shuffle.
say tie-rule:
  Compare the indices where the distances are equal: the lanes are not in the order of references.
say index-left:
  The distance goes from lane to lane. Its index must go with it: a second shuffle passes it on, and it is taken over together with the distance.
say alone: lane 31 |
  After __shfl_down_sync lane 0 has the nearest of all, and lane 31 what it had. Lane 0 writes.
say alone:
  Nothing has reached lane 0. In which direction does the value go? Lane 0 must get it from the lanes above it, and that is
  __shfl_down_sync. And is the value that comes used?
say wrong-half: even index |
  The last step, 1 lane apart, is missing: the loop ends before it.
say wrong-half: lanes 16 to 31 found |
  What lanes 16 to 31 have found must reach lanes 0 to 15: there must be a step 16 lanes apart, among all 32. (A fourth argument of a
  shuffle divides the warp into parts, which hear nothing of each other.)
say wrong-half: the step |
  Five steps are needed: 16, 8, 4, 2 and 1 lanes apart. Look at where the loop begins and ends, and by what it divides.
say wrong-half: threads have found |
  There are 32 lanes, 0 to 31, and what each of them has found must reach lane 0.
say wrong-half: asked lane |
  The third argument of __shfl_down_sync says how many lanes further on the other lane is: `apart` alone, for all lanes.
say wrong-half: 1, 2, 4, 8 |
  __shfl_sync takes the value of the lane with that number, so all lanes get the same one. A step needs the value from so many
  lanes further on: __shfl_down_sync.
say wrong-half:
  Five steps are needed: 16, 8, 4, 2 and 1 lanes apart. The third argument of __shfl_down_sync is `apart` alone, without the lane.
say wrong-values:
  Does each step go `apart` lanes on, without the lane's own number, and are there all five: 16, 8, 4, 2 and 1? Is the
  smaller distance kept as it is, together with its index?
wrong last_writes: alone | Which lane has the nearest of all 32 in the end?
wrong no_tie: tie-rule | Lane 3 has reference 35 and lane 16 reference 16, at the same distance. Which one is wanted?
wrong index_left: index-left | Whose index has lane 0 in the end?
wrong compares_late: wrong-index | When is the index compared: before the distance was taken over, or behind it?
wrong adds: wrong-values | Which of two distances is that of the nearer reference?
wrong no_mine: out-of-bounds | Which observation has the last warp of the last block?
wrong upwards: alone | Which lane has the result in the end, and from where can it come?
wrong from_number: wrong-half | Whose value does lane 5 get?
wrong by_four: wrong-half | Which lanes are left after the step 16 lanes apart, and which step do these need?
wrong lane_added: wrong-half | How many lanes further on does lane 3 look, if the third argument is lane + apart?
wrong begins_at_eight: wrong-half | Which lanes does lane 0 never hear of?
wrong counted_from_one: wrong-index | Which number has the first lane, and which one has the first bit for __ffs?
wrong in_condition: missing-lane | Which lanes reach the shuffle?
wrong number_in_turn: race | Which observation have the threads of one warp?
wrong index_in_branch: missing-lane | Which lanes have a reason to enter, and whose index do they want?
wrong half_leave: missing-lane | Which lanes reach the second step?
wrong four_steps: wrong-half | How many lanes are left after 16, 8, 4 and 2?
wrong all_write: race | Which lane has the result after the last step, and which lanes write?
wrong barriers_stay: needless-barrier | It is right. Which warps wait for which here?
extra:
  Use __shfl_xor_sync: then all lanes have the result. When would that be of use?
discuss:
  One warp for an observation, or one thread? When has a GPU too few threads to be busy?
*/
/*
 * 12 Talk inside a warp: each warp finds the nearest reference of an observation.
 *
 * It is right.  Let the lanes exchange values by shuffles: no shared memory, no barrier.
 */
#include "common/cuda.h"
#include "common/knn.h"
#include "common/variant.h"

enum { WARPS = 4 }; /* in a block */

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
    const unsigned lane = threadIdx.x % 32;
#if WRONG_number_in_turn
    const size_t i = (size_t)blockIdx.x * WARPS + threadIdx.x % WARPS;
#else
    const size_t i = (size_t)blockIdx.x * WARPS + threadIdx.x / 32; /* this warp's observation */
#endif
    const bool mine = i < m; /* it exists; the same for all lanes of a warp */
    float least = INFINITY;
    uint32_t which = 0;

    for (size_t j = lane; mine && j < n; j += 32) {
        float d = haversine(obs_lat[i], obs_lon[i], ref_lat[j], ref_lon[j]);

        if (d < least) {
            least = d;
            which = (uint32_t)j;
        }
    }

    /* Now the best of 32: each step leaves half as many lanes. */
#if STARTER
    __shared__ float place[WARPS * 32];
    __shared__ uint32_t place_index[WARPS * 32];

    place[threadIdx.x] = least;
    place_index[threadIdx.x] = which;
    for (unsigned apart = 16; apart > 0; apart /= 2) {
        __syncthreads();
        if (lane < apart) {
            float other = place[threadIdx.x + apart];
            uint32_t other_index = place_index[threadIdx.x + apart];

            if (other < least || (other == least && other_index < which)) {
                place[threadIdx.x] = least = other;
                place_index[threadIdx.x] = which = other_index;
            }
        }
    }
#elif WRONG_no_tie
    for (unsigned apart = 16; apart > 0; apart /= 2) {
        float other = __shfl_down_sync(0xffffffff, least, apart);
        uint32_t other_index = __shfl_down_sync(0xffffffff, which, apart);

        if (other < least) {
            least = other;
            which = other_index;
        }
    }
#elif WRONG_index_left
    for (unsigned apart = 16; apart > 0; apart /= 2) {
        float other = __shfl_down_sync(0xffffffff, least, apart);

        if (other < least)
            least = other;
    }
#elif WRONG_adds
    for (unsigned apart = 16; apart > 0; apart /= 2) {
        float other = __shfl_down_sync(0xffffffff, least, apart);
        uint32_t other_index = __shfl_down_sync(0xffffffff, which, apart);

        if (other < least || (other == least && other_index < which)) {
            least += other;
            which = other_index;
        }
    }
#elif WRONG_compares_late
    for (unsigned apart = 16; apart > 0; apart /= 2) {
        float other = __shfl_down_sync(0xffffffff, least, apart);
        uint32_t other_index = __shfl_down_sync(0xffffffff, which, apart);

        least = fminf(least, other);
        if (other < least || (other == least && other_index < which))
            which = other_index;
    }
#elif WRONG_upwards
    for (unsigned apart = 16; apart > 0; apart /= 2) {
        float other = __shfl_up_sync(0xffffffff, least, apart);
        uint32_t other_index = __shfl_up_sync(0xffffffff, which, apart);

        if (other < least || (other == least && other_index < which)) {
            least = other;
            which = other_index;
        }
    }
#elif WRONG_from_number
    for (unsigned apart = 16; apart > 0; apart /= 2) {
        float other = __shfl_sync(0xffffffff, least, apart);
        uint32_t other_index = __shfl_sync(0xffffffff, which, apart);

        if (other < least || (other == least && other_index < which)) {
            least = other;
            which = other_index;
        }
    }
#elif WRONG_by_four
    for (unsigned apart = 16; apart > 0; apart /= 4) {
        float other = __shfl_down_sync(0xffffffff, least, apart);
        uint32_t other_index = __shfl_down_sync(0xffffffff, which, apart);

        if (other < least || (other == least && other_index < which)) {
            least = other;
            which = other_index;
        }
    }
#elif WRONG_lane_added
    for (unsigned apart = 16; apart > 0; apart /= 2) {
        float other = __shfl_down_sync(0xffffffff, least, lane + apart);
        uint32_t other_index = __shfl_down_sync(0xffffffff, which, lane + apart);

        if (other < least || (other == least && other_index < which)) {
            least = other;
            which = other_index;
        }
    }
#elif WRONG_begins_at_eight
    for (unsigned apart = 8; apart > 0; apart /= 2) {
        float other = __shfl_down_sync(0xffffffff, least, apart);
        uint32_t other_index = __shfl_down_sync(0xffffffff, which, apart);

        if (other < least || (other == least && other_index < which)) {
            least = other;
            which = other_index;
        }
    }
#elif WRONG_counted_from_one
    const float mine_alone = least;

    for (unsigned apart = 16; apart > 0; apart /= 2)
        least = fminf(least, __shfl_xor_sync(0xffffffff, least, apart));
    which = __shfl_sync(0xffffffff, which, __ffs(__ballot_sync(0xffffffff, mine_alone == least)));
#elif WRONG_in_condition
    for (unsigned apart = 16; apart > 0; apart /= 2)
        if (lane < apart) {
            float other = __shfl_down_sync(0xffffffff, least, apart);
            uint32_t other_index = __shfl_down_sync(0xffffffff, which, apart);

            if (other < least || (other == least && other_index < which)) {
                least = other;
                which = other_index;
            }
        }
#elif WRONG_index_in_branch
    for (unsigned apart = 16; apart > 0; apart /= 2) {
        float other = __shfl_down_sync(0xffffffff, least, apart);

        if (other <= least) {
            uint32_t other_index = __shfl_down_sync(0xffffffff, which, apart);

            if (other < least || other_index < which)
                which = other_index;
            least = other;
        }
    }
#elif WRONG_half_leave
    for (unsigned apart = 16; apart > 0; apart /= 2) {
        float other = __shfl_down_sync(0xffffffff, least, apart);
        uint32_t other_index = __shfl_down_sync(0xffffffff, which, apart);

        if (other < least || (other == least && other_index < which)) {
            least = other;
            which = other_index;
        }
        if (lane >= apart)
            return;
    }
#elif WRONG_four_steps
    for (unsigned apart = 16; apart > 1; apart /= 2) {
        float other = __shfl_down_sync(0xffffffff, least, apart);
        uint32_t other_index = __shfl_down_sync(0xffffffff, which, apart);

        if (other < least || (other == least && other_index < which)) {
            least = other;
            which = other_index;
        }
    }
#elif WRONG_barriers_stay
    for (unsigned apart = 16; apart > 0; apart /= 2) {
        float other = __shfl_down_sync(0xffffffff, least, apart);
        uint32_t other_index = __shfl_down_sync(0xffffffff, which, apart);

        if (other < least || (other == least && other_index < which)) {
            least = other;
            which = other_index;
        }
        __syncthreads();
    }
#else
    for (unsigned apart = 16; apart > 0; apart /= 2) {
        float other = __shfl_down_sync(0xffffffff, least, apart);
        uint32_t other_index = __shfl_down_sync(0xffffffff, which, apart);

        if (other < least || (other == least && other_index < which)) {
            least = other;
            which = other_index;
        }
    }
#endif
#if WRONG_all_write
    if (mine) {
#elif WRONG_last_writes
    if (mine && lane == 31) {
#elif WRONG_no_mine
    if (lane == 0) {
#else
    if (mine && lane == 0) {
#endif
        distance[i] = least;
        index[i] = which;
    }
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
    nearest<<<(unsigned)((p->m + WARPS - 1) / WARPS), WARPS * 32>>>(p->m, p->n, d_obs_lat, d_obs_lon, d_ref_lat, d_ref_lon,
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

VARIANT(.idea = "one warp an observation, shuffles, mine",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .refuse = refuse,
        .prepare = prepare,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release)
