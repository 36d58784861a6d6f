/*
 * knn / cuda_tree
 *
 * Idea     Search a tree of boxes, which follow the density of the references, for 32 observations at a time, which are
 *          sorted, and so near each other.  All lanes of a warp then need the same boxes and leaves.
 * Against  cuda_index, whose cells all have one size: a town of 2^14 references lies in one of them.
 * Expect   The same time for references and observations wherever they lie, and less than cuda_index for few observations,
 *          as a tree is built sooner than a table.  For many, the table is faster: two or three references for each
 *          observation, while a warp here looks at some 40.
 * Try      Do not sort the observations: let sorted[i] be number i.  How much longer does knn_tree_answer take?
 * Level    3
 * Read     cuda_buffers.h, cuda_walk.h, cuda_tree.h, cuda_curve.h, cuda_exact.h
 */
#include "common/variant.h"
#include "cuda_buffers.h" /* prepare, upload, download, release; d_obs_lat, d_index ... */
#include "cuda_walk.h"    /* tree, tree_build, seeker, search */

enum {
    ANSWER = 64, DECIDE = 128,  /* threads of a block */
    DECIDERS = 2112,            /* blocks of knn_tree_decide: 16 a multiprocessor of an H200 */
    FEW = 8,                    /* candidates that are kept */
    FEW_LANES = 4               /* that decide between them: most observations in doubt have two to four */
};

/* The best so far, and the references that float32 cannot tell from it */
struct nearest_one : seeker {
    static constexpr bool one = true;
    float best, low;  /* values: what is below `low` is nearer than all candidates */
    float wide;       /* the largest radius of a leaf that was searched */
    unsigned count;   /* of candidates */
    unsigned last;    /* where the last one is in tree.point */
    unsigned *candidate; /* where the first FEW are: every ANSWER-th place */

    /* A value that is less near by `more` errors: a chord has 2^-19 of its length, and 2^-21 of the radius of a leaf */
    __device__ float moved(float value, float more) const
    {
        const float squared = fabsf(value), chord = squared * rsqrtf(fmaxf(squared, 1e-36f));
        const float other = fmaxf(chord + sign * more * (chord * 0x1p-19f + wide * 0x1p-21f + 0x1p-40f), 0);

        return sign * other * other + (sign < 0 ? more * nearly_opposite : 0);
    }

    /* Where a candidate is, and the value that it has at most: what was computed of it is within the limit */
    __device__ unsigned spot() const { return last; }
    __device__ float found() const { return limit < start_limit ? moved(limit, 1) : start_limit; }

    __device__ void set_limits()
    {
        low = moved(best, -1);
        limit = moved(best, 1);
    }

    __device__ void reach(float radius)
    {
        if (radius > wide) {
            wide = radius;
            if (best < start_limit)
                set_limits();
        }
    }

    __device__ void look(const float (&value)[EIGHT], unsigned first)
    {
        float least = value[0];
        unsigned within = 0;

#pragma unroll
        for (unsigned e = 1; e < EIGHT; e++)
            least = fminf(least, value[e]);
        if (least > limit)
            return;
        if (least < best) {
            count = least < low ? 0 : count;
            best = least;
            set_limits();
        }
#pragma unroll
        for (unsigned e = 0; e < EIGHT; e++)
            within |= (value[e] <= limit) << e;
        for (; within != 0; within &= within - 1) {
            last = first + __ffs((int)within) - 1;
            if (count < FEW)
                candidate[count * ANSWER] = last;
            count++;
        }
    }
};

struct doubt { /* an observation that float64 decides */
    unsigned observation, count;
    unsigned candidate[FEW]; /* if there are so few */
    float limit;             /* value: none is beyond; if it is negative, from the antipode */
};

static tree d_tree;
static doubt *d_doubt; /* [m] few candidates from the front, many from the back; tree.counter counts them */

__global__ static void __launch_bounds__(ANSWER) knn_tree_answer(tree t, uint32_t *index, float *distance, doubt *doubts)
{
    __shared__ unsigned candidates[FEW * ANSWER];
    const unsigned m = (unsigned)t.obs.count, i = blockIdx.x * ANSWER + threadIdx.x;
    const observation mine = t.sorted[min(i, m - 1)];
    const unsigned which = __float_as_uint(mine.also.y);
    nearest_one s = {seeker_of(mine)};

    if (i - threadIdx.x % WARP >= m)
        return;
    s.best = start_limit;
    s.candidate = candidates + threadIdx.x;
    search(t, &s);
    if (i >= m)
        return;
    if (s.count > 1) {
        doubt d = {which, s.count, {}, s.limit};

        for (unsigned c = 0; c < min(s.count, (unsigned)FEW); c++)
            d.candidate[c] = s.candidate[c * ANSWER];
        doubts[s.count <= FEW ? atomicAdd(&t.counter[0], 1) : m - 1 - atomicAdd(&t.counter[1], 1)] = d;
        return;
    }

    const float4 place = t.place[s.last];

    index[which] = __float_as_uint(place.w);
    distance[which] = distance_f32(mine.at.w, mine.rest.w, s.cos_lat, place);
}

/* FEW_LANES for each observation with few candidates */
__device__ static void decide_few(tree t, uint32_t *index, float *distance, const doubt *doubts, unsigned block,
                                  unsigned blocks)
{
    const unsigned lane = threadIdx.x % FEW_LANES, step = blocks * (DECIDE / FEW_LANES);

    for (unsigned d = (block * DECIDE + threadIdx.x) / FEW_LANES; d < t.counter[0]; d += step) {
        const unsigned observation = doubts[d].observation;
        nearest_f64 best = {INFINITY, 0};

        for (unsigned c = lane; c < doubts[d].count; c += FEW_LANES) {
            const float4 place = t.place[doubts[d].candidate[c]];

            keep_nearer(&best, haversine(t.obs.lat[observation], t.obs.lon[observation], place.x, place.y),
                        __float_as_uint(place.w));
        }
        nearest_of_lanes(&best, FEW_LANES);
        if (lane == 0) {
            index[observation] = best.who;
            distance[observation] = (float)best.far;
        }
    }
}

/* An observation with many candidates */
struct many_seeker : seeker {
    float wide; /* the largest radius of a leaf that was searched */
    nearest_f64 best;
};

__device__ static float least_value(const many_seeker &s, box b)
{
    return least_value(s.sign, s.at, b);
}

__device__ static float lanes_min(float x)
{
    for (unsigned step = WARP / 2; step > 0; step /= 2)
        x = fminf(x, __shfl_xor_sync(all_lanes, x, step));
    return x;
}

/* Looks at some leaves, LEAF lanes each: those of the lowest bits that are set in `leaves`.  If `final`, float64 decides
   between references within the limit; otherwise they reduce it. */
__device__ static void look_at_leaves(tree t, many_seeker *s, unsigned node, unsigned leaves, bool final, float lat, float lon)
{
    const unsigned lane = threadIdx.x % WARP;

    for (unsigned skip = 0; skip < lane / LEAF; skip++)
        leaves &= leaves - 1;

    const unsigned leaf = node * FAN + (leaves != 0 ? __ffs((int)leaves) - 1 : 0);
    const float4 high = t.high[0][leaf], m = middle(t.low[0][leaf], high), p = t.point[leaf * LEAF + lane % LEAF];
    const float value = s->sign * square(p.x - (s->at.x - m.x + s->rest.x), p.y - (s->at.y - m.y + s->rest.y),
                                         p.z - (s->at.z - m.z + s->rest.z));
    const bool there = leaves != 0 && !isnan(p.x);

    if (!final) {
        s->limit = lanes_min(there ? fminf(value, s->limit) : s->limit);
        s->wide = fmaxf(s->wide, there ? sqrtf(square(high.x - m.x, high.y - m.y, high.z - m.z)) : 0);
    } else if (there && value <= s->limit) {
        const unsigned j = __float_as_uint(p.w);

        keep_nearer(&s->best, haversine(lat, lon, t.ref.lat[j], t.ref.lon[j]), j);
    }
}

__device__ static void look_everywhere(tree t, many_seeker *s, bool final, float lat, float lon)
{
    const unsigned lane = threadIdx.x % WARP;

    for (unsigned first = 0; first < t.boxes[1]; first += WARP) {
        const unsigned mine = min(first + lane, t.boxes[1] - 1);
        unsigned nodes = __ballot_sync(all_lanes, first + lane < t.boxes[1] &&
                                                  least_value(*s, {t.low[1][mine], t.high[1][mine]}) <= s->limit);

        for (; nodes != 0; nodes &= nodes - 1) {
            const unsigned node = first + __ffs((int)nodes) - 1, leaf = node * FAN + lane;
            const box b = {t.low[0][leaf], t.high[0][leaf]};
            unsigned leaves = __ballot_sync(all_lanes, b.low.x < nowhere && least_value(*s, b) <= s->limit);

            while (leaves != 0) {
                look_at_leaves(t, s, node, leaves, final, lat, lon);
                for (unsigned taken = 0; taken < WARP / LEAF; taken++)
                    leaves &= leaves - 1;
            }
        }
    }
}

/* A warp for each observation with many candidates */
__device__ static void decide_many(tree t, uint32_t *index, float *distance, const doubt *doubts, unsigned block,
                                   unsigned blocks)
{
    const unsigned warps = blocks * (DECIDE / WARP), m = (unsigned)t.obs.count;

    for (unsigned d = (block * DECIDE + threadIdx.x) / WARP; d < t.counter[1]; d += warps) {
        const doubt mine = doubts[m - 1 - d];
        const float lat = t.obs.lat[mine.observation], lon = t.obs.lon[mine.observation];
        many_seeker s = {seeker_of(observation_of(lat, lon, 0)), 0, {INFINITY, 0}};

        s.limit = mine.limit;
        if (mine.limit < 0 || mine.limit > 2) {
            s.sign = -1;
            s.at = opposite(s.at);
            s.rest = opposite(s.rest);
        }
        if (mine.limit > 2) { /* only few observations of its warp were so far away */
            s.limit = fminf(mine.limit - 4 + 0x1p-18f, 0);
            look_everywhere(t, &s, false, lat, lon);

            const float chord = sqrtf(-s.limit), wide = -lanes_min(-s.wide);
            const float least = fmaxf(chord * (1 - 0x1p-19f) - wide * 0x1p-21f, 0);

            s.limit = nearly_opposite - least * least;
        }
        look_everywhere(t, &s, true, lat, lon);
        nearest_of_lanes(&s.best, WARP);
        if (threadIdx.x % WARP == 0) {
            index[mine.observation] = s.best.who;
            distance[mine.observation] = (float)s.best.far;
        }
    }
}

/* The first half of the blocks decides observations with few candidates, the other half those with many. */
__global__ static void __launch_bounds__(DECIDE) knn_tree_decide(tree t, uint32_t *index, float *distance,
                                                                const doubt *doubts)
{
    const unsigned half = gridDim.x / 2;

    if (blockIdx.x < half)
        decide_few(t, index, distance, doubts, blockIdx.x, half);
    else
        decide_many(t, index, distance, doubts, blockIdx.x - half, half);
}

static const char *refuse(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    return p->k > 1 ? "finds one neighbour" : tree_refuse(p->m, p->n);
}

static void prepare_tree(const void *problem)
{
    const struct knn *p = (const struct knn *)problem;

    prepare(problem);
    d_tree = tree_new(p->m, p->n, 1);
    CUDA(cudaMalloc(&d_doubt, p->m * sizeof *d_doubt));
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
    knn_tree_answer<<<(unsigned)((p->m + ANSWER - 1) / ANSWER), ANSWER>>>(d_tree, d_index, d_distance, d_doubt);
    CUDA(cudaGetLastError());
    knn_tree_decide<<<DECIDERS, DECIDE>>>(d_tree, d_index, d_distance, d_doubt);
    CUDA(cudaGetLastError());
}

static void release_tree(void)
{
    CUDA(cudaFree(d_doubt));
    tree_free(d_tree);
    release();
}

VARIANT(.idea = "a tree of boxes, searched for 32 neighbouring observations at a time",
        .base = "cuda_index",
        .device = &device_gpu,
        .math = MATH_F32,
        .traits = TRAIT_SHORTCUT,
        .refuse = refuse,
        .prepare = prepare_tree,
        .upload = upload,
        .run = run,
        .download = download,
        .release = release_tree)
