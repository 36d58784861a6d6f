/*
 * knn / cuda_topk_tree
 *
 * Idea     k neighbours by the tree of cuda_tree.  Each lane has the nearest of its observation so far in registers, as a
 *          sorted list.  Eight references at a time are sorted and merged into it by a network of comparisons, which
 *          is the same for all lanes.
 * Against  cuda_topk_wgmma, which scores all pairs.
 * Expect   Bound by the networks: 59 comparisons of five instructions for eight references if k is 8 or less, 107 beyond.
 * Try      k=8 and k=9: lists have 16 and 32 entries.  And data with many equal distances (a lattice): float64 orders them.
 * Level    3
 * Read     cuda_buffers.h, cuda_walk.h, cuda_tree.h, cuda_curve.h, cuda_exact.h
 * Source   K. E. Batcher, "Sorting networks and their applications", AFIPS Spring Joint Computing Conference, 1968
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_obs_lat, d_index ... */
#include "cuda_walk.h"    /* tree, tree_build, seeker, search */

enum {
    MOST = COPIES,              /* neighbours, at most */
    ANSWER = 128, DECIDE = 128, /* threads of a block */
    DECIDERS = 1056             /* blocks of the kernels that decide */
};

__device__ static void compare(float *a, float *b, unsigned *who_a, unsigned *who_b)
{
    const bool swap = *b < *a;
    const float less = fminf(*a, *b), more = fmaxf(*a, *b);
    const unsigned first = swap ? *who_b : *who_a, second = swap ? *who_a : *who_b;

    *a = less;
    *b = more;
    *who_a = first;
    *who_b = second;
}

/* A list of LENGTH references.  The k-th neighbour is entry LENGTH - 1 - SPARE, so the first LENGTH - SPARE - k entries are
   filled with what is nearer than any reference.  The last SPARE are for references that float32 cannot tell from it. */
template <int LENGTH, int SPARE> struct nearest_list : seeker {
    static constexpr bool one = false;
    float value[LENGTH];
    unsigned who[LENGTH]; /* where they are in tree.point */
    float wide;     /* the largest radius of a leaf that was searched */
    float rejected; /* the least value that found no place, of those that were within the limit */

    __device__ void begin(unsigned k)
    {
        wide = 0;
        rejected = start_limit;
#pragma unroll
        for (unsigned r = 0; r < LENGTH; r++) {
            value[r] = r + k < LENGTH - SPARE ? -start_limit : start_limit;
            who[r] = 0;
        }
    }

    /* The value up to which float32 may not tell a reference from one with this value */
    __device__ float widened(float its) const
    {
        const float squared = fabsf(its), chord = squared * rsqrtf(fmaxf(squared, 1e-36f));
        const float other = fmaxf(chord + sign * (chord * 0x1p-19f + wide * 0x1p-21f + 0x1p-40f), 0);

        return sign * other * other + (sign < 0 ? nearly_opposite : 0);
    }

    __device__ void reach(float radius)
    {
        wide = fmaxf(wide, radius);
        set_limit();
    }

    __device__ void set_limit()
    {
        const float last = value[LENGTH - 1 - SPARE];

        limit = last < start_limit ? widened(last) : start_limit;
    }

    __device__ void look(float (&found)[EIGHT], unsigned first)
    {
        bool any = false;
        unsigned its[EIGHT];

#pragma unroll
        for (unsigned e = 0; e < EIGHT; e++) {
            its[e] = first + e;
            any = any || found[e] <= limit;
            found[e] = found[e] <= limit ? found[e] : start_limit;
        }
        if (!__any_sync(all_lanes, any))
            return;
        sort_eight(found, its);
        merge(found, its);
        set_limit();
    }

    __device__ static void sort_eight(float (&f)[EIGHT], unsigned (&w)[EIGHT])
    {
        constexpr unsigned pair[19][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {1, 2}, {5, 6},
                                          {0, 4}, {1, 5}, {2, 6}, {3, 7}, {2, 4}, {3, 5}, {1, 2}, {3, 4}, {5, 6}};

#pragma unroll
        for (unsigned p = 0; p < 19; p++)
            compare(&f[pair[p][0]], &f[pair[p][1]], &w[pair[p][0]], &w[pair[p][1]]);
    }

    /* The nearer of both lists form a sequence that rises and then falls, which log2(LENGTH) steps sort. */
    __device__ void merge(float (&f)[EIGHT], unsigned (&w)[EIGHT])
    {
#pragma unroll
        for (unsigned e = 0; e < EIGHT; e++) {
            compare(&value[LENGTH - 1 - e], &f[e], &who[LENGTH - 1 - e], &w[e]);
            rejected = fminf(rejected, f[e]);
        }
#pragma unroll
        for (unsigned step = LENGTH / 2; step > 0; step /= 2)
#pragma unroll
            for (unsigned r = 0; r < LENGTH; r++)
                if ((r & step) == 0)
                    compare(&value[r], &value[r + step], &who[r], &who[r + step]);
    }
};

struct doubt { /* an observation that float64 decides: all references up to a value are candidates */
    unsigned observation;
    float limit;
};

static tree d_tree;
static doubt *d_doubt;        /* [m] those with a list from the front, the others from the back; tree.counter */
static unsigned *d_candidate; /* [m][LENGTH] the lists: places of tree.point; NONE fills them up */
static const unsigned NONE = 0xffffffff;

static unsigned length_of(size_t k)
{
    return k <= 8 ? 16 : MOST;
}

/* Writes the answers of a warp, a lane for each neighbour: list[row * lane + r] is number r of the observation of a lane, or
   NONE if float64 decides.  Rounding must not let distances fall along the list. */
__device__ static void write(tree t, unsigned k, uint32_t *index, float *distance, const unsigned *list, unsigned row,
                             const observation &mine)
{
    const unsigned lane = threadIdx.x % WARP, at_once = WARP / k, of = lane / k, rank = lane % k;

    for (unsigned first = 0; first < WARP; first += at_once) {
        const unsigned whose = min(first + of, WARP - 1u);
        const float lat = __shfl_sync(all_lanes, mine.at.w, (int)whose), lon = __shfl_sync(all_lanes, mine.rest.w, (int)whose);
        const float cos_lat = __shfl_sync(all_lanes, mine.also.x, (int)whose);
        const size_t to = (size_t)__float_as_uint(__shfl_sync(all_lanes, mine.also.y, (int)whose)) * k + rank;
        const unsigned who = of < at_once && first + of < WARP ? list[row * whose + rank] : NONE;
        const float4 place = t.place[who == NONE ? 0 : who];
        float far = distance_f32(lat, lon, cos_lat, place);

        for (unsigned step = 1; step < k; step *= 2) {
            const float before = __shfl_up_sync(all_lanes, far, step);

            far = rank >= step ? fmaxf(far, before) : far;
        }
        if (who != NONE) {
            index[to] = __float_as_uint(place.w);
            distance[to] = far;
        }
    }
}

template <int LENGTH, int SPARE>
__global__ static void __launch_bounds__(ANSWER) knn_topk_tree_answer(tree t, unsigned k, uint32_t *index, float *distance,
                                                                      doubt *doubts, unsigned *candidates)
{
    enum { ROW = LENGTH - SPARE + 1 }; /* odd, so that lanes write to different banks */
    __shared__ unsigned lists[ANSWER * ROW];
    const unsigned m = (unsigned)t.obs.count, i = blockIdx.x * ANSWER + threadIdx.x, lane = threadIdx.x % WARP;
    unsigned *const list = lists + (threadIdx.x - lane) * ROW;
    const observation mine = t.sorted[min(i, m - 1)];
    nearest_list<LENGTH, SPARE> s = {seeker_of(mine)};
    bool clear = true;

    if (i - lane >= m)
        return;
    s.begin(k);
    search(t, &s);
#pragma unroll
    for (unsigned r = 0; r < LENGTH - SPARE; r++)
        clear = clear && (s.value[r] == -start_limit || r + 1 == LENGTH || s.value[r + 1] > s.widened(s.value[r]));

    const unsigned which = __float_as_uint(mine.also.y);
    const bool many = s.rejected <= s.limit;

    if (i < m && many)
        doubts[m - 1 - atomicAdd(&t.counter[1], 1)] = {which, s.limit};
    if (i < m && !many && !clear) {
        const unsigned d = atomicAdd(&t.counter[0], 1);

        doubts[d] = {which, s.limit};
#pragma unroll
        for (unsigned r = 0; r < LENGTH; r++)
            candidates[(size_t)d * LENGTH + r] = s.value[r] > -start_limit && s.value[r] <= s.limit ? s.who[r] : NONE;
    }
#pragma unroll
    for (unsigned r = 0; r < LENGTH - SPARE; r++)
        if (r + k >= LENGTH - SPARE)
            list[lane * ROW + r + k - (LENGTH - SPARE)] = i < m && !many && clear ? s.who[r] : NONE;
    __syncwarp();
    write(t, k, index, distance, list, ROW, mine);
}

/* Some lanes for each observation with a list, one for each candidate: how many candidates are nearer? */
template <int LENGTH>
__global__ static void __launch_bounds__(DECIDE) knn_topk_tree_order(tree t, unsigned k, uint32_t *index, float *distance,
                                                                     const doubt *doubts, const unsigned *candidates)
{
    const unsigned lane = threadIdx.x % LENGTH, lists = gridDim.x * (DECIDE / LENGTH);
    const unsigned us = all_lanes >> (WARP - LENGTH) << (threadIdx.x % WARP - lane);

    for (unsigned d = (blockIdx.x * DECIDE + threadIdx.x) / LENGTH; d < t.counter[0]; d += lists) {
        const unsigned observation = doubts[d].observation, mine = candidates[(size_t)d * LENGTH + lane];
        const float4 place = t.place[mine == NONE ? 0 : mine];
        const unsigned who = __float_as_uint(place.w);
        const double far = mine == NONE ? INFINITY
                                        : haversine(t.obs.lat[observation], t.obs.lon[observation], place.x, place.y);
        unsigned before = 0;

#pragma unroll 4
        for (unsigned o = 0; o < LENGTH; o++) {
            const double other = __shfl_sync(us, far, (int)o, LENGTH);
            const unsigned its = __shfl_sync(us, who, (int)o, LENGTH);

            before += other < far || (other == far && its < who);
        }
        if (mine != NONE && before < k) {
            index[(size_t)observation * k + before] = who;
            distance[(size_t)observation * k + before] = (float)far;
        }
    }
}

struct ranked { /* the nearest so far: lane r has number r, from 0 */
    double far;
    unsigned who;
};

/* Inserts a reference into the list.  A whole warp calls this. */
__device__ static void insert(ranked *mine, double far, unsigned who)
{
    const bool before = mine->far < far || (mine->far == far && mine->who < who);
    const unsigned place = __popc(__ballot_sync(all_lanes, before)), lane = threadIdx.x % WARP;
    const ranked last = {__shfl_up_sync(all_lanes, mine->far, 1), __shfl_up_sync(all_lanes, mine->who, 1)};

    if (lane == place)
        *mine = {far, who};
    else if (lane > place)
        *mine = last;
}

/* Inserts those references of some leaves that are within the limit: the leaves of the lowest bits set. */
__device__ static void insert_leaves(tree t, ranked *mine, unsigned node, unsigned leaves, const seeker &q, unsigned k, float lat,
                                   float lon)
{
    const unsigned lane = threadIdx.x % WARP;

    for (unsigned skip = 0; skip < lane / LEAF; skip++)
        leaves &= leaves - 1;

    const unsigned leaf = node * FAN + (leaves != 0 ? __ffs((int)leaves) - 1 : 0);
    const float4 m = middle(t.low[0][leaf], t.high[0][leaf]), p = t.point[leaf * LEAF + lane % LEAF];
    const float value = q.sign * square(p.x - (q.at.x - m.x + q.rest.x), p.y - (q.at.y - m.y + q.rest.y),
                                p.z - (q.at.z - m.z + q.rest.z));
    const bool near = leaves != 0 && value <= q.limit;
    const unsigned j = near ? __float_as_uint(p.w) : 0;
    const double far = near ? haversine(lat, lon, t.ref.lat[j], t.ref.lon[j]) : INFINITY;
    const double worst = __shfl_sync(all_lanes, mine->far, (int)k - 1);

    for (unsigned all = __ballot_sync(all_lanes, near && far <= worst); all != 0; all &= all - 1) {
        const int whose = __ffs((int)all) - 1;

        insert(mine, __shfl_sync(all_lanes, far, whose), __shfl_sync(all_lanes, j, whose));
    }
}

/* A warp for each observation that has more candidates than its list has room for */
__global__ static void __launch_bounds__(DECIDE) knn_topk_tree_decide(tree t, unsigned k, uint32_t *index, float *distance,
                                                                      const doubt *doubts)
{
    const unsigned lane = threadIdx.x % WARP, warps = gridDim.x * (DECIDE / WARP), m = (unsigned)t.obs.count;

    for (unsigned d = (blockIdx.x * DECIDE + threadIdx.x) / WARP; d < t.counter[1]; d += warps) {
        const unsigned observation = doubts[m - 1 - d].observation;
        const float lat = t.obs.lat[observation], lon = t.obs.lon[observation];
        seeker q = seeker_of(observation_of(lat, lon, 0));
        ranked mine = {INFINITY, NONE};

        q.limit = doubts[m - 1 - d].limit;
        if (q.limit < 0) {
            q.sign = -1;
            q.at = opposite(q.at);
            q.rest = opposite(q.rest);
        }
        for (unsigned first = 0; first < t.boxes[1]; first += WARP) {
            const unsigned its = min(first + lane, t.boxes[1] - 1);
            const bool open = first + lane < t.boxes[1] && least_value(q.sign, q.at, {t.low[1][its], t.high[1][its]}) <= q.limit;

            for (unsigned nodes = __ballot_sync(all_lanes, open); nodes != 0; nodes &= nodes - 1) {
                const unsigned node = first + __ffs((int)nodes) - 1, leaf = node * FAN + lane;
                const box b = {t.low[0][leaf], t.high[0][leaf]};
                unsigned leaves = __ballot_sync(all_lanes, b.low.x < nowhere && least_value(q.sign, q.at, b) <= q.limit);

                while (leaves != 0) {
                    insert_leaves(t, &mine, node, leaves, q, k, lat, lon);
                    for (unsigned taken = 0; taken < WARP / LEAF; taken++)
                        leaves &= leaves - 1;
                }
            }
        }
        if (lane < k) {
            index[(size_t)observation * k + lane] = mine.who;
            distance[(size_t)observation * k + lane] = (float)mine.far;
        }
    }
}

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return p->k > MOST ? "keeps 32 neighbours at most" : tree_refuse(p->m, p->n);
}

static void prepare_tree(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    prepare(problem);
    d_tree = tree_new(p->m, p->n, p->k);
    CUDA(cudaMalloc(&d_doubt, p->m * sizeof *d_doubt));
    CUDA(cudaMalloc(&d_candidate, p->m * length_of(p->k) * sizeof *d_candidate));
}

template <int LENGTH, int SPARE> static void answer(const struct knn *p)
{
    const unsigned k = (unsigned)p->k;

    knn_topk_tree_answer<LENGTH, SPARE><<<(unsigned)((p->m + ANSWER - 1) / ANSWER), ANSWER>>>(d_tree, k, d_index, d_distance,
                                                                                             d_doubt, d_candidate);
    CUDA(cudaGetLastError());
    knn_topk_tree_order<LENGTH><<<DECIDERS, DECIDE>>>(d_tree, k, d_index, d_distance, d_doubt, d_candidate);
    CUDA(cudaGetLastError());
    knn_topk_tree_decide<<<DECIDERS, DECIDE>>>(d_tree, k, d_index, d_distance, d_doubt);
    CUDA(cudaGetLastError());
}

static void run(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    if (p->m == 0)
        return;
    d_tree.ref.lat = d_ref_lat;
    d_tree.ref.lon = d_ref_lon;
    d_tree.obs.lat = d_obs_lat;
    d_tree.obs.lon = d_obs_lon;
    tree_build(d_tree, 0);
    if (length_of(p->k) == MOST)
        answer<MOST, 0>(p);
    else
        answer<16, 8>(p);
}

static void release_tree(void)
{
    CUDA(cudaFree(d_candidate));
    CUDA(cudaFree(d_doubt));
    tree_free(d_tree);
    release();
}

VARIANT(.idea = "k neighbours by a tree of boxes, lists in registers",
        .base = "cuda_topk_wgmma",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_SHORTCUT,
        .refuse = refuse,
        .prepare = prepare_tree,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_tree)
