/* EXERCISE
title: Several GPUs
problem: knn
concept: one part for each device, uneven parts, the memory of each
minutes: 25
story:
  Each GPU has its own memory, and cudaSetDevice says which GPU the next calls are for. To find the nearest references with
  several GPUs, every GPU gets all references and a part of the observations, and returns its part of the result. The parts are
  as equal as possible: 10 observations for 3 GPUs are parts of 3, 3 and 4. The program must also be right for one GPU, and for
  more GPUs than there are observations.
task:
  Below, run uses the first GPU only, for all observations. Write it for all of them: GPU number g, from 0 to cards - 1, has the
  observations from m * g / cards up to, but not including, m * (g + 1) / cards. cudaSetDevice(g) comes before the calls for that
  GPU; card[g] has its arrays. Copy all references to every GPU, but only its own part of the observations, and copy its part of the
  result to where the part begins. A copy back waits for the kernel of its GPU, so start all kernels before the first copy back. At
  the end, set GPU 0 again. The simulator has three GPUs for this exercise.
now: one GPU does all observations, the others nothing
goal: three GPUs at work, none with more than a tenth above its share; GPU 0 is set again when run returns
why: the result is there when the last GPU has finished
sizes: m=0,n=5,k=1 m=1,n=1,k=1 m=2,n=3,k=1 m=10,n=31,k=1 m=64,n=65,k=1 m=257,n=129,k=1
count: m=384,n=64,k=1
devices: 3
gate: launches >= 3 | one-card | Each GPU needs a launch of its own, for its part.
gate: threads <= 480 | everyone-does-all | Some GPU works on observations that are not its part: 384 observations need 3 * 128 threads.
gate: concurrent_kernels >= 3 | cards-in-turn | The GPUs work one after another. Something in the loop waits until the kernel of a GPU is done, as a copy back does, and cudaDeviceSynchronize(), and meanwhile nothing starts the next GPU.
gate: bytes_in <= 4700 | copies-too-much | 3 GPUs need 64 references of 8 bytes each, and each of the 384 observations is copied once, 8 bytes: 4608 bytes.
gate: device_at_end <= 0 | device-left | run returns while another GPU than 0 is set.
starter: one-card
hint 1:
  Which calls depend on the GPU that is set: cudaMalloc, cudaMemcpy, the launch? In which order must the calls come, so that no GPU
  waits for the kernel of another?
hint 2:
  In integers, m * g / cards is 0 for g = 0 and m for g = cards. So no observation is lost, and none is done twice. A part may be
  empty: then there is no launch. A part of the result begins at the same number as its observations.
hint 3:
  for each GPU g: set it
      copy the references there; copy its observations there
      launch on them, if there are any
  for each GPU g: set it
      copy its results back, to where its part begins
  set GPU 0 again
say wrong-device: memory of device 0 on |
  A GPU has got the arrays of GPU 0. Its own are in card[g].
say wrong-device:
  The memory belongs to another GPU than the one that is set. Call cudaSetDevice before the calls for each GPU, also before its
  copies.
say wrong-index: bits of the distance |
  index comes from d_index, and distance from d_distance.
say wrong-index: what belongs into |
  Each GPU's part of the result goes to where the part begins, in both copies: p->index + first, and p->distance + first.
say wrong-values:
  Does each GPU's part of the result go to where its part begins, in index and in distance?
say part-missing: of obs_lat, and |
  What a GPU has computed belongs to the observations that it was given. Both loops need the same arrays, begin and size for GPU g.
say part-missing: the copy is made on device |
  Each GPU has arrays of its own. In the loop over the GPUs they are those of card[g].
say part-missing: were written; element |
  The GPU has computed fewer observations than the copy back takes. Both take those of the part: its end minus its begin.
say part-missing: + first, count |
  On the GPU a part begins at the array's start. Only on the host it begins at first.
say part-missing: part of GPU 1 begins |
  The first part is there. Does the loop that copies back go over all GPUs, too?
say part-missing:
  Do both loops go over all GPUs, the one that launches and the one that copies back? Does the copy of the observations begin where
  the part begins? And is the last part complete? m / cards is rounded down: with 10 observations and 3 GPUs, one is left over.
say misplaced: belongs to distance[0] |
  Each GPU gets observations of its own. The copies of its part begin at p->obs_lat + first and p->obs_lon + first.
say misplaced:
  Each GPU's part of the result goes to where the part begins, in index and in distance: p->distance + first.
say wrong-part:
  Does each GPU get its own observations? The copies of its part begin at p->obs_lat + first and p->obs_lon + first.
say out-of-bounds: behind the last |
  Each part is larger than its share, so there is nothing left for the last GPU. Some parts have one more than others, and not all of them: with
  m * g / cards no part begins too late.
say out-of-bounds: begin at wrong places |
  The sizes of the parts are right. The part of GPU 0 begins at 0, and each other one where the part before it ends: at m * g / cards.
say out-of-bounds:
  A part has as many observations as its end minus its begin: count = m * (g + 1) / cards - first.
say gaps: nothing is copied back from GPU |
  Does the loop that copies back go over all GPUs, from 0 to cards - 1?
say gaps:
  A part has as many observations as its end minus its begin: m * (g + 1) / cards - first. m / cards is rounded down, and some parts
  have one more.
say everyone-does-all:
  The parts do not overlap: GPU g has the observations from m * g / cards up to, but not including, m * (g + 1) / cards. Both its copies
  and its launch take these.
say copies-too-much: of obs |
  A GPU needs the observations of its own part only: count of them, from first on.
say copies-too-much:
  The references go to each GPU once, and the observations of a part to the GPU that has it. What is copied besides, or twice?
say device-left:
  cudaSetDevice holds until it is called again, also behind the end of run. What comes after the last loop?
say cards-in-turn: than the one that is set |
  A copy waits for the GPU that is set. cudaSetDevice(g) comes before all calls for GPU g, also before its copies.
say one-card: goes to GPU |
  Which part has each GPU? In integers g / cards is 0 for each g below cards, and m * g / cards is not: the product comes first.
say cards-in-turn:
  Two loops: the first one copies in and launches, on every GPU, and waits for none; the second one copies back.
say tail-missing: begin at wrong places |
  The sizes are right. Where a part begins, the one before it has to end. If some parts have one more than others, those behind them
  begin further on: with m * g / cards for each begin, and the begin of the next part for the end, that is so.
say tail-missing:
  m / cards is rounded down: with 10 observations and 3 GPUs, one is left over. With m * g / cards, none is.
say no-order: two streams of one GPU |
  What needs the other's result belongs into the same stream, behind it.
say no-order:
  A copy back waits for the GPU that is set, and not for others: cudaSetDevice(g) stands in both loops, the one that launches and the
  one that copies back.
say last-missed: begin at wrong places |
  The sizes are right. Where a part begins, the one before it has to end. If some parts have one more than others, those behind them
  begin further on: with m * g / cards for each begin, and the begin of the next part for the end, that is so.
say last-missed:
  m / cards is rounded down: with 10 observations and 3 GPUs, one is left over. With m * g / cards, none is.
say nothing-written: the memory is of device |
  Each GPU has arrays of its own: while GPU g is set, the copies are to and from those of card[g], in both loops.
say nothing-written: one on each other device |
  One GPU has no launch: does the loop that launches go over all of them, 0 to cards - 1?
say nothing-written: and 1 on others |
  One launch was made, on another GPU. Does each GPU get its launch: does the loop go over all of them, and does nothing leave it earlier?
say nothing-written: on others |
  A kernel runs on the GPU that was set last. Where a loop launches, cudaSetDevice(g) belongs before the launch, in that loop.
say nothing-written: no kernel was |
  No launch was made. How many blocks does the part of a GPU need?
say nothing-written:
  A part was not computed, or not copied to its place: do both loops go over all GPUs, the one that launches and the one that copies
  back?
say wrong-index: not written at all |
  The copy back of the indices is too short, or goes elsewhere. It brings count of them, and each has sizeof(uint32_t) bytes.
say unwritten-read: but the same array |
  Each GPU has memory of its own. What was copied to one of them, the others do not have: copy it to each, in the loop over all GPUs.
say unwritten-read: pointer is shifted |
  On the GPU a part begins at the array's start. Only on the host it begins at first.
say unwritten-read: d_ref |
  Every GPU needs all n references, and so many must be copied to it.
say unwritten-read: all before it |
  What lies before this place was copied, so the kernel takes more than its GPU was given: the part has count observations.
say unwritten-read: nothing in it |
  The array has room on the GPU of the kernel, and nothing was copied into it. Is there a copy into each of the four arrays?
say unwritten-read:
  A GPU has not been given its references, or its observations, or its kernel takes more of them than it was given: count, and not
  m. On the GPU a part begins at the array's start; only on the host it begins at first.
wrong launch_on_last: nothing-written | Which GPU is set when the loop of launches begins?
wrong takes_more: unwritten-read | How many observations has this GPU got?
wrong short_back: wrong-index | How many bytes has an index?
wrong set_once: no-order | Which GPU is set when the second loop begins, and for which one does a copy wait?
wrong rounded_down: tail-missing | 10 observations, 3 GPUs: which one has the last observation?
wrong back_from_one: part-missing | How many GPUs have a result?
wrong first_copied: misplaced | Which observations does the second GPU work on?
wrong index_of_distances: wrong-index | Which array of the GPU has the indices?
wrong back_too_far: out-of-bounds | Where does the part of GPU 0 begin?
wrong begins_early: last-missed | Where does the part of the second GPU begin, and where does that of the first one end?
wrong other_way_back: nothing-written | Which observations has the last GPU been given?
wrong in_turn: cards-in-turn | It is right. When does the second GPU begin?
wrong no_set: wrong-device | On which GPU is this memory, and which GPU is set?
wrong index_to_the_start: wrong-index | Where does the second GPU's index belong?
wrong to_the_start: misplaced | Where does the second GPU's result belong?
wrong last_stays: device-left | Which GPU is set when run has returned?
wrong all_everywhere: everyone-does-all | It is right. How many distances are computed in all?
wrong all_copied: copies-too-much | It is right. Which observations does a GPU need?
wrong refs_once: unwritten-read | Which GPUs have the references?
wrong launch_empty: no-blocks | How many observations has GPU 0 when there are 2 for 3 GPUs?
wrong first_gpus_arrays: part-missing | In whose memory is the second GPU's result?
wrong all_parts_alike: part-missing | How many observations have 3 GPUs, if each has m / 3?
wrong shifted: unwritten-read | Where does a part begin on the GPU?
wrong refs_short: unwritten-read | How many references does each GPU need?
extra:
  Suppose that the GPUs differ in speed, and give GPU g a share of its own. How could the program find good shares?
discuss:
  The host copies the references to every GPU. When would it be better if one GPU copied them to the others?
*/
/*
 * 16 Several GPUs: each has a part of the observations.
 */
#include "common/cuda.h"
#include "common/knn.h"
#include "common/variant.h"

enum { THREADS = 128, MOST = 16 };

/* The arrays of each GPU, on that GPU. */
static struct card {
    float *d_obs_lat, *d_obs_lon, *d_ref_lat, *d_ref_lon, *d_distance;
    uint32_t *d_index;
} card[MOST];
static int cards;

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
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float least = INFINITY;
    uint32_t which = 0;

    if (i >= m)
        return;
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

#if STARTER
#else
/* Returns the first observation of GPU g. */
static size_t begin_of(const struct knn *p, int g)
{
#endif
#if STARTER
#elif WRONG_rounded_down
    return p->m / (size_t)cards * (size_t)g;
}

#elif WRONG_all_everywhere
    return g == cards ? p->m : 0;
}

#else
    return p->m * (size_t)g / (size_t)cards;
}

#endif
static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

#if STARTER
    const struct card *c = &card[0];
    unsigned blocks = (unsigned)((p->m + THREADS - 1) / THREADS);

    CUDA(cudaMemcpy(c->d_ref_lat, p->ref_lat, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(c->d_ref_lon, p->ref_lon, p->n * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(c->d_obs_lat, p->obs_lat, p->m * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(c->d_obs_lon, p->obs_lon, p->m * sizeof(float), cudaMemcpyHostToDevice));
    if (blocks > 0)
        nearest<<<blocks, THREADS>>>(p->m, p->n, c->d_obs_lat, c->d_obs_lon, c->d_ref_lat,
                                     c->d_ref_lon, c->d_index, c->d_distance);
    CUDA(cudaGetLastError());
    CUDA(cudaMemcpy(p->index, c->d_index, p->m * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(p->distance, c->d_distance, p->m * sizeof(float), cudaMemcpyDeviceToHost));
#else
    for (int g = 0; g < cards; g++) {
        const struct card *c = &card[g];
#endif
#if STARTER
#elif WRONG_all_everywhere
        size_t first = 0, count = p->m;
#elif WRONG_begins_early
        size_t first = p->m / (size_t)cards * (size_t)g, count = begin_of(p, g + 1) - begin_of(p, g);
#elif WRONG_all_parts_alike
        size_t first = begin_of(p, g), count = p->m / (size_t)cards;
#else
        size_t first = begin_of(p, g), count = begin_of(p, g + 1) - first;
#endif
#if STARTER
#else
        unsigned blocks = (unsigned)((count + THREADS - 1) / THREADS);

#endif
#if STARTER
#elif WRONG_no_set
        if (g == 0)
            CUDA(cudaSetDevice(g));
#else
        CUDA(cudaSetDevice(g));
#endif
#if STARTER
#elif WRONG_refs_once
        if (g == 0) {
            CUDA(cudaMemcpy(c->d_ref_lat, p->ref_lat, p->n * sizeof(float), cudaMemcpyHostToDevice));
            CUDA(cudaMemcpy(c->d_ref_lon, p->ref_lon, p->n * sizeof(float), cudaMemcpyHostToDevice));
        }
#elif WRONG_refs_short
        CUDA(cudaMemcpy(c->d_ref_lat, p->ref_lat, (p->m < p->n ? p->m : p->n) * sizeof(float), cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(c->d_ref_lon, p->ref_lon, p->n * sizeof(float), cudaMemcpyHostToDevice));
#else
        CUDA(cudaMemcpy(c->d_ref_lat, p->ref_lat, p->n * sizeof(float), cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(c->d_ref_lon, p->ref_lon, p->n * sizeof(float), cudaMemcpyHostToDevice));
#endif
#if STARTER
#elif WRONG_all_copied
        CUDA(cudaMemcpy(c->d_obs_lat, p->obs_lat, p->m * sizeof(float), cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(c->d_obs_lon, p->obs_lon, p->m * sizeof(float), cudaMemcpyHostToDevice));
        if (blocks > 0)
            nearest<<<blocks, THREADS>>>(count, p->n, c->d_obs_lat + first, c->d_obs_lon + first,
                                         c->d_ref_lat, c->d_ref_lon, c->d_index, c->d_distance);
#elif WRONG_first_copied
        CUDA(cudaMemcpy(c->d_obs_lat, p->obs_lat, count * sizeof(float), cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(c->d_obs_lon, p->obs_lon, count * sizeof(float), cudaMemcpyHostToDevice));
        if (blocks > 0)
            nearest<<<blocks, THREADS>>>(count, p->n, c->d_obs_lat, c->d_obs_lon, c->d_ref_lat,
                                         c->d_ref_lon, c->d_index, c->d_distance);
#elif WRONG_launch_on_last
        CUDA(cudaMemcpy(c->d_obs_lat, p->obs_lat + first, count * sizeof(float), cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(c->d_obs_lon, p->obs_lon + first, count * sizeof(float), cudaMemcpyHostToDevice));
    }
    for (int g = 0; g < cards; g++) {
        const struct card *c = &card[g];
        size_t first = begin_of(p, g), count = begin_of(p, g + 1) - first;
        if (count > 0)
            nearest<<<(unsigned)((count + THREADS - 1) / THREADS), THREADS>>>(count, p->n, c->d_obs_lat, c->d_obs_lon, c->d_ref_lat,
                                                                              c->d_ref_lon, c->d_index, c->d_distance);
#elif WRONG_shifted
        CUDA(cudaMemcpy(c->d_obs_lat, p->obs_lat + first, count * sizeof(float), cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(c->d_obs_lon, p->obs_lon + first, count * sizeof(float), cudaMemcpyHostToDevice));
        if (blocks > 0)
            nearest<<<blocks, THREADS>>>(count, p->n, c->d_obs_lat + first, c->d_obs_lon + first, c->d_ref_lat,
                                         c->d_ref_lon, c->d_index, c->d_distance);
#elif WRONG_takes_more
        CUDA(cudaMemcpy(c->d_obs_lat, p->obs_lat + first, count * sizeof(float), cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(c->d_obs_lon, p->obs_lon + first, count * sizeof(float), cudaMemcpyHostToDevice));
        if (blocks > 0)
            nearest<<<blocks, THREADS>>>(first + count, p->n, c->d_obs_lat, c->d_obs_lon, c->d_ref_lat,
                                         c->d_ref_lon, c->d_index, c->d_distance);
#elif WRONG_launch_empty
        CUDA(cudaMemcpy(c->d_obs_lat, p->obs_lat + first, count * sizeof(float), cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(c->d_obs_lon, p->obs_lon + first, count * sizeof(float), cudaMemcpyHostToDevice));
        nearest<<<blocks, THREADS>>>(count, p->n, c->d_obs_lat, c->d_obs_lon, c->d_ref_lat,
                                     c->d_ref_lon, c->d_index, c->d_distance);
#else
        CUDA(cudaMemcpy(c->d_obs_lat, p->obs_lat + first, count * sizeof(float), cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(c->d_obs_lon, p->obs_lon + first, count * sizeof(float), cudaMemcpyHostToDevice));
        if (blocks > 0)
            nearest<<<blocks, THREADS>>>(count, p->n, c->d_obs_lat, c->d_obs_lon, c->d_ref_lat,
                                         c->d_ref_lon, c->d_index, c->d_distance);
#endif
#if STARTER
#elif WRONG_in_turn
        CUDA(cudaGetLastError());
        CUDA(cudaMemcpy(p->index + first, c->d_index, count * sizeof(uint32_t), cudaMemcpyDeviceToHost));
        CUDA(cudaMemcpy(p->distance + first, c->d_distance, count * sizeof(float), cudaMemcpyDeviceToHost));
    }
#else
        CUDA(cudaGetLastError());
    }
#endif
#if STARTER || WRONG_in_turn
#elif WRONG_back_from_one
    for (int g = 0; g < 1; g++) {
        const struct card *c = &card[g];
        size_t first = begin_of(p, g), count = begin_of(p, g + 1) - first;

#elif WRONG_all_everywhere
    for (int g = 0; g < cards; g++) {
        const struct card *c = &card[g];
        size_t first = 0, count = p->m;

#elif WRONG_begins_early
    for (int g = 0; g < cards; g++) {
        const struct card *c = &card[g];
        size_t first = p->m / (size_t)cards * (size_t)g, count = begin_of(p, g + 1) - begin_of(p, g);

#elif WRONG_other_way_back
    for (int g = 0; g < cards; g++) {
        const struct card *c = &card[cards - 1 - g];
        size_t first = begin_of(p, g), count = begin_of(p, g + 1) - first;

#elif WRONG_to_the_start
    for (int g = 0; g < cards; g++) {
        const struct card *c = &card[g];
        size_t first = 0, count = begin_of(p, g + 1) - begin_of(p, g);

#elif WRONG_first_gpus_arrays
    for (int g = 0; g < cards; g++) {
        const struct card *c = &card[0];
        size_t first = begin_of(p, g), count = begin_of(p, g + 1) - first;

#else
    for (int g = 0; g < cards; g++) { /* only now: a copy back waits for the kernel */
        const struct card *c = &card[g];
        size_t first = begin_of(p, g), count = begin_of(p, g + 1) - first;

#endif
#if STARTER || WRONG_in_turn
#elif WRONG_index_to_the_start
        CUDA(cudaSetDevice(g));
        CUDA(cudaMemcpy(p->index, c->d_index, count * sizeof(uint32_t), cudaMemcpyDeviceToHost));
        CUDA(cudaMemcpy(p->distance + first, c->d_distance, count * sizeof(float), cudaMemcpyDeviceToHost));
    }
#elif WRONG_index_of_distances
        CUDA(cudaSetDevice(g));
        CUDA(cudaMemcpy(p->index + first, c->d_distance, count * sizeof(uint32_t), cudaMemcpyDeviceToHost));
        CUDA(cudaMemcpy(p->distance + first, c->d_distance, count * sizeof(float), cudaMemcpyDeviceToHost));
    }
#elif WRONG_back_too_far
        CUDA(cudaSetDevice(g));
        CUDA(cudaMemcpy(p->index + first, c->d_index, count * sizeof(uint32_t), cudaMemcpyDeviceToHost));
        CUDA(cudaMemcpy(p->distance + first + 1, c->d_distance, count * sizeof(float), cudaMemcpyDeviceToHost));
    }
#elif WRONG_short_back
        CUDA(cudaSetDevice(g));
        CUDA(cudaMemcpy(p->index + first, c->d_index, count * sizeof(uint16_t), cudaMemcpyDeviceToHost));
        CUDA(cudaMemcpy(p->distance + first, c->d_distance, count * sizeof(float), cudaMemcpyDeviceToHost));
    }
#elif WRONG_set_once
        CUDA(cudaMemcpy(p->index + first, c->d_index, count * sizeof(uint32_t), cudaMemcpyDeviceToHost));
        CUDA(cudaMemcpy(p->distance + first, c->d_distance, count * sizeof(float), cudaMemcpyDeviceToHost));
    }
#else
        CUDA(cudaSetDevice(g));
        CUDA(cudaMemcpy(p->index + first, c->d_index, count * sizeof(uint32_t), cudaMemcpyDeviceToHost));
        CUDA(cudaMemcpy(p->distance + first, c->d_distance, count * sizeof(float), cudaMemcpyDeviceToHost));
    }
#endif
#if STARTER
#elif WRONG_last_stays
    CUDA(cudaGetLastError());
#else
    CUDA(cudaSetDevice(0)); /* other code expects this one to be set */
#endif
}

/* --- the rest of the host's side: nothing to do here ------------------------------------------ */

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return p->k == 1 ? NULL : "finds the nearest one only: k is 1";
}

/* Reserves room on every GPU for all observations, so that any division of them fits. */
static void prepare(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    CUDA(cudaGetDeviceCount(&cards));
    cards = cards < MOST ? cards : MOST;
    for (int g = 0; g < cards; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaMalloc(&card[g].d_obs_lat, p->m * sizeof(float)));
        CUDA(cudaMalloc(&card[g].d_obs_lon, p->m * sizeof(float)));
        CUDA(cudaMalloc(&card[g].d_ref_lat, p->n * sizeof(float)));
        CUDA(cudaMalloc(&card[g].d_ref_lon, p->n * sizeof(float)));
        CUDA(cudaMalloc(&card[g].d_index, p->m * sizeof(uint32_t)));
        CUDA(cudaMalloc(&card[g].d_distance, p->m * sizeof(float)));
    }
    CUDA(cudaSetDevice(0));
}

static void release(void)
{
    for (int g = 0; g < cards; g++) {
        CUDA(cudaSetDevice(g));
        CUDA(cudaFree(card[g].d_obs_lat));
        CUDA(cudaFree(card[g].d_obs_lon));
        CUDA(cudaFree(card[g].d_ref_lat));
        CUDA(cudaFree(card[g].d_ref_lon));
        CUDA(cudaFree(card[g].d_index));
        CUDA(cudaFree(card[g].d_distance));
    }
    CUDA(cudaSetDevice(0));
}

VARIANT(.idea = "all GPUs, a part of the observations each, mine",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_ALL_GPUS,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
