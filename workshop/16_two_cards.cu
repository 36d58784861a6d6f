/* EXERCISE
title: Several cards
problem: knn
concept: one part for each device, uneven parts, whose memory it is
minutes: 25
story:
  Each card has its own memory, and cudaSetDevice says which card the next calls are for. To find the nearest
  references with several cards, every card gets all references, a part of the observations, and gives back its
  part of the answer. The parts are as equal as they can be: with 10 observations and 3 cards, 4, 3 and 3. It
  must be right for one card as well, and for more cards than there are observations.
task:
  Below, only the first card works, on all observations. Let card number g of `cards` have the observations
  from m * g / cards to before m * (g + 1) / cards; set it before each of its calls; copy the references to
  every card once and its own observations only; and copy its part of the answer to the right place.
  The simulator has three cards for this one.
now: one card does all observations, the others nothing
goal: three cards at work, none with more than a tenth above its share
why: the answer is there when the last card has finished
sizes: m=0,n=5,k=1 m=1,n=1,k=1 m=2,n=3,k=1 m=10,n=31,k=1 m=64,n=65,k=1 m=257,n=129,k=1
count: m=384,n=64,k=1
devices: 3
gate: launches >= 3 | one-card | Each card needs a launch of its own, for its part.
gate: threads <= 480 | everyone-does-all | Cards work on observations that are not their part: 384 observations need 3 * 128 threads.
gate: bytes_in <= 4700 | copies-too-much | 3 cards * 64 references * 8 bytes, and each of 384 observations once, 8 bytes: 4608 bytes.
starter: one-card
hint 1:
  Which calls depend on the card that is set: cudaMalloc, cudaMemcpy, the launch? And in which order must
  they come, so that no card waits for another one's kernel?
hint 2:
  m * g / cards is a whole number for every g: for g = 0 it is 0, for g = cards it is m, so nothing is lost
  and nothing is done twice. A part may be empty: no launch then. The answer's part begins at the same
  number as the observations'.
hint 3:
  for each card g: set it
      copy the references there; copy its observations there
      launch on them, if there are any
  for each card g: set it
      copy its answers back, to where its part begins
  set card 0 again
say wrong-device:
  The memory belongs to another card than the one that is set: cudaSetDevice before every card's calls,
  also before its copies.
say wrong-values:
  Does each card's part of the answer go to where its part begins, in index and in distance?
say part-missing:
  Is the last part complete? m / cards is rounded down: with 10 observations and 3 cards, one is left over.
say tail-missing:
  m / cards is rounded down: with 10 observations and 3 cards, one is left over. m * g / cards is not.
say nothing-written:
  A part was not copied back, or not to its place.
say unwritten-read:
  A card has not been given its references, or its observations.
wrong rounded_down: tail-missing | 10 observations, 3 cards: who has the last one?
wrong no_set: wrong-device | Whose memory is it, and which card is set?
wrong to_the_start: wrong-values | Where does the second card's answer belong?
wrong all_everywhere: everyone-does-all | Right. How many distances are computed in all?
wrong all_copied: copies-too-much | Right. Which observations does a card need?
wrong refs_once: unwritten-read | Which cards have the references?
wrong launch_empty: no-blocks | How many observations has card 0 when there are 2 for 3 cards?
extra:
  Cards of different speed: give card g a share of its own. What would be a way to find the shares?
discuss:
  The references are copied to every card by the host. When would one card better copy them to the others?
*/
/*
 * 16 Several cards: each has a part of the observations.
 */
#include "common/cuda.h"
#include "common/knn.h"
#include "common/variant.h"

enum { THREADS = 128, MOST = 16 };

/* Of each card, on that card. */
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

/* The first observation of card g. */
static size_t begin_of(const struct knn *p, int g)
{
#if STARTER
    return g == 0 ? 0 : p->m; /* card 0 has all of them */
#elif WRONG_rounded_down
    return p->m / (size_t)cards * (size_t)g;
#elif WRONG_all_everywhere
    return g == cards ? p->m : 0;
#else
    return p->m * (size_t)g / (size_t)cards;
#endif
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

#if STARTER
    for (int g = 0; g < 1; g++) {
#else
    for (int g = 0; g < cards; g++) {
#endif
        const struct card *c = &card[g];
#if WRONG_all_everywhere
        size_t first = 0, count = p->m;
#else
        size_t first = begin_of(p, g), count = begin_of(p, g + 1) - first;
#endif
        unsigned blocks = (unsigned)((count + THREADS - 1) / THREADS);

#if WRONG_no_set
        if (g == 0)
            CUDA(cudaSetDevice(g));
#else
        CUDA(cudaSetDevice(g));
#endif
#if WRONG_refs_once
        if (g == 0) {
            CUDA(cudaMemcpy(c->d_ref_lat, p->ref_lat, p->n * sizeof(float), cudaMemcpyHostToDevice));
            CUDA(cudaMemcpy(c->d_ref_lon, p->ref_lon, p->n * sizeof(float), cudaMemcpyHostToDevice));
        }
#else
        CUDA(cudaMemcpy(c->d_ref_lat, p->ref_lat, p->n * sizeof(float), cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(c->d_ref_lon, p->ref_lon, p->n * sizeof(float), cudaMemcpyHostToDevice));
#endif
#if WRONG_all_copied
        CUDA(cudaMemcpy(c->d_obs_lat, p->obs_lat, p->m * sizeof(float), cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(c->d_obs_lon, p->obs_lon, p->m * sizeof(float), cudaMemcpyHostToDevice));
        if (blocks > 0)
            nearest<<<blocks, THREADS>>>(count, p->n, c->d_obs_lat + first, c->d_obs_lon + first,
                                         c->d_ref_lat, c->d_ref_lon, c->d_index, c->d_distance);
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
        CUDA(cudaGetLastError());
    }
#if STARTER
    for (int g = 0; g < 1; g++) {
#else
    for (int g = 0; g < cards; g++) { /* only now: a copy back waits for the kernel */
#endif
        const struct card *c = &card[g];
#if WRONG_all_everywhere
        size_t first = 0, count = p->m;
#elif WRONG_to_the_start
        size_t first = 0, count = begin_of(p, g + 1) - begin_of(p, g);
#else
        size_t first = begin_of(p, g), count = begin_of(p, g + 1) - first;
#endif

        CUDA(cudaSetDevice(g));
        CUDA(cudaMemcpy(p->index + first, c->d_index, count * sizeof(uint32_t), cudaMemcpyDeviceToHost));
        CUDA(cudaMemcpy(p->distance + first, c->d_distance, count * sizeof(float), cudaMemcpyDeviceToHost));
    }
    CUDA(cudaSetDevice(0)); /* the next one to come counts on it */
}

/* --- the rest of the host's side: nothing to do here ------------------------------------------ */

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return p->k == 1 ? NULL : "finds the nearest one only: k is 1";
}

/* Room on every card, for all observations: nobody knows yet how many it will have. */
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

VARIANT(.idea = "all cards, a part of the observations each, mine",
        .base = "cuda_naive",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_ALL_GPUS,
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
