/*
 * For CUDA rungs that sweep over all references with a cheap score and keep of each observation
 * only which tile holds the best one: what comes before and after the sweep.  In the end the
 * neighbour is the one that float64 names.  (If more than one is asked for: cuda_minima.h.)
 *
 * Score    1 - q.r for the unit vectors of an observation and a reference: 0 when they are at the
 *          same place, 2 at the antipode.  A sweep's scores may be off by its own E.
 * Window   If some score is s, the nearest has a cosine distance of at most s + E, and so a score
 *          of at most s + 2E.  Tiles whose best scores are within 2E of the best of all are looked
 *          at again, in float32.  There E = 32u: coordinates put q.r off by 18u (cuda_exact.h), and
 *          three multiply-adds, on partial sums of 2 at most, by 6u.  If one reference alone is in
 *          that window, it is the nearest; of several, float64 decides.
 * Order    Scores are compared as integers, for which there is a minimum of three: of floats that
 *          are not negative, the bits rise with the value.  Rounding may make a score negative, by
 *          E at most; then a minimum may take another negative one, which is in the window as well.
 */
#ifndef RUNGS_KNN_CUDA_SETTLE_H
#define RUNGS_KNN_CUDA_SETTLE_H

#include "common/cuda.h"
#include "cuda_exact.h" /* unit_vector, haversine, window, WARP, all_lanes */

/* References come in chunks, made up with some that are not there; of each four tiles, one to a
   quarter of all references.  A tile's references are neighbours in memory. */
enum { CHUNK = 256, QUARTERS = 4, PART = CHUNK / QUARTERS };
enum { TURN = 4 };                    /* chunks after which the scores of their tiles are written */
enum { SPARE = 512 };                 /* observations of a sweep's block, at most */
enum { ANSWER = 128, SETTLE = 2048 }; /* threads in a block; blocks that settle doubts */
enum { SOME = 3, FOUR = 4 };          /* candidates that knn_decide takes from a list, with so many lanes */
enum { AT_ONCE = 4 * QUARTERS };      /* four tiles of a quarter: what loads are under way */

static const size_t scores_at_once = (size_t)1 << 30; /* 2 GiB of them */
static const int farthest = 0x7fffffff; /* as a score */

/* Of a quarter: no tile reaches into the window; or the best one, and others do, too. */
static const unsigned NOWHERE = 0xffffffff, CROWDED = 0x80000000;

struct points { /* on the device; the answers only of observations */
    size_t count;
    const float *lat, *lon;
    uint32_t *index;
    float *distance;
};

struct sweep {
    points ref;
    unsigned chunks; /* if k > 1, a multiple of TURN */
    float *unit[3];  /* [chunks * CHUNK] unit vectors: their x, y, z; NaN where there is none, as is
                        its score: no comparison lets it through, and no other bits are more */
    uint4 *found;    /* [observations] for each quarter the best tile, CROWDED or not, or NOWHERE */
    unsigned *doubt; /* [1 + observations] how many, and which: one look does not answer them */
    unsigned *many;  /* [1 + observations] how many, and which: they have more than SOME candidates */

    /* For k > 1, instead of found[]: */
    unsigned k;
    size_t pass;      /* observations at once; if k is 1, all of them */
    double *cosine;   /* [references] of their latitudes */
    uint16_t *least;  /* [pass + SPARE][chunks * QUARTERS] the best score of each tile: the upper
                         half.  A sweep's blocks come whole, and write as if all were there */
};

static sweep sweep_new(size_t observations, size_t references, size_t k)
{
    const size_t whole = k > 1 ? TURN * CHUNK : CHUNK;
    sweep s = {};

    s.k = (unsigned)k;
    s.chunks = (unsigned)((references + whole - 1) / whole * whole / CHUNK);
    s.pass = observations;
    for (int axis = 0; axis < 3; axis++)
        CUDA(cudaMalloc(&s.unit[axis], s.chunks * CHUNK * sizeof *s.unit[axis]));
    if (k == 1) {
        CUDA(cudaMalloc(&s.found, observations * sizeof *s.found));
        CUDA(cudaMalloc(&s.many, (1 + observations) * sizeof *s.many));
    } else {
        s.pass = min(observations, scores_at_once / (s.chunks * QUARTERS));
        CUDA(cudaMalloc(&s.cosine, references * sizeof *s.cosine));
        CUDA(cudaMalloc(&s.least, (s.pass + SPARE) * s.chunks * QUARTERS * sizeof *s.least));
    }
    CUDA(cudaMalloc(&s.doubt, (1 + s.pass) * sizeof *s.doubt));
    return s;
}

static void sweep_free(sweep s)
{
    for (int axis = 0; axis < 3; axis++)
        CUDA(cudaFree(s.unit[axis]));
    CUDA(cudaFree(s.found));
    CUDA(cudaFree(s.doubt));
    CUDA(cudaFree(s.many));
    CUDA(cudaFree(s.cosine));
    CUDA(cudaFree(s.least));
}

static unsigned blocks_of(size_t points, size_t of_a_block)
{
    return (unsigned)((points + of_a_block - 1) / of_a_block);
}

/* Of all observations those of one pass, from i on */
static points pass_of(sweep s, points all, size_t i)
{
    const size_t count = min(all.count - i, s.pass);

    return {count, all.lat + i, all.lon + i, all.index + i * s.k, all.distance + i * s.k};
}

/* --- before and in the sweep ------------------------------------------------------------------ */

__device__ static float4 place_reference(sweep s, size_t j)
{
    float4 at = make_float4(NAN, NAN, NAN, 0);

    if (j < s.ref.count)
        at = unit_vector(s.ref.lat[j], s.ref.lon[j]);
    s.unit[0][j] = at.x;
    s.unit[1][j] = at.y;
    s.unit[2][j] = at.z;
    if (s.cosine != NULL && j < s.ref.count)
        s.cosine[j] = cos((double)s.ref.lat[j]);
    return at;
}

/* Before the sweep: no doubts yet. */
__device__ static void begin(sweep s)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        s.doubt[0] = 0;
        if (s.k == 1)
            s.many[0] = 0;
    }
}

struct nearest { /* of a quarter, so far */
    int score = farthest, next = farthest; /* of the best tile, and of the next best, as bits */
    unsigned tile = 0;
};

__device__ static void note(nearest *best, int score, unsigned tile)
{
    bool nearer;

    best->next = min(best->next, max(best->score, score));
    best->score = __vibmin_s32(score, best->score, &nearer);
    if (nearer)
        best->tile = tile;
}

/* What goes into found[], if `least` is the best score of all quarters. */
__device__ static unsigned verdict(nearest best, int least, float sweep_window)
{
    const float limit = __int_as_float(least) + sweep_window;

    if (!(__int_as_float(best.score) <= limit))
        return NOWHERE;
    return best.tile | (__int_as_float(best.next) <= limit ? CROWDED : 0);
}

/* --- after the sweep -------------------------------------------------------------------------- */

__device__ static float score(float4 at, float x, float y, float z)
{
    return 1 - at.x * x - at.y * y - at.z * z;
}

__device__ static float score_of(sweep s, float4 at, size_t j)
{
    return score(at, s.unit[0][j], s.unit[1][j], s.unit[2][j]);
}

/* Which of four references from j on score at most `limit`: a bit each */
__device__ static unsigned near_four(sweep s, float4 at, size_t j, float limit)
{
    const float4 x = *(const float4 *)&s.unit[0][j], y = *(const float4 *)&s.unit[1][j],
                 z = *(const float4 *)&s.unit[2][j];

    return (score(at, x.x, y.x, z.x) <= limit) | (score(at, x.y, y.y, z.y) <= limit) << 1 |
           (score(at, x.z, y.z, z.z) <= limit) << 2 | (score(at, x.w, y.w, z.w) <= limit) << 3;
}

/* Where there is no doubt who is nearest, this is how far. */
__device__ static float plain_haversine(float lat1, float lon1, float lat2, float lon2)
{
    const float sin_lat = sinf((lat2 - lat1) / 2), sin_lon = sinf((lon2 - lon1) / 2);
    const float h = sin_lat * sin_lat + cosf(lat1) * cosf(lat2) * (sin_lon * sin_lon);

    return 2 * asinf(sqrtf(fminf(h, 1)));
}

/* Of most observations one tile alone is in question, and one reference of it is clearly nearest.
   A warp looks at one after another, with a reference a lane, and another one.  Observation i is
   this lane's own; asks[] is the warp's. */
__device__ static void answer(sweep s, points obs, size_t i, float4 *asks)
{
    const bool mine = i < obs.count;
    const unsigned lane = threadIdx.x % WARP;
    const uint4 in = mine ? s.found[i] : make_uint4(NOWHERE, NOWHERE, NOWHERE, NOWHERE);
    const unsigned tile = min(min(in.x, in.y), min(in.z, in.w)); /* NOWHERE is more than any */
    const bool one = tile < CROWDED && (in.x == NOWHERE) + (in.y == NOWHERE) +
                                               (in.z == NOWHERE) + (in.w == NOWHERE) == 3;
    const float lat = mine ? obs.lat[i] : 0, lon = mine ? obs.lon[i] : 0;
    unsigned near_a = 0, near_b = 0;

    asks[lane] = unit_vector(lat, lon);
    asks[lane].w = __uint_as_float(one ? tile * PART : 0);
    __syncwarp();
#pragma unroll 4
    for (unsigned who = 0; who < WARP; who++) {
        const float4 at = asks[who];
        const unsigned j = __float_as_uint(at.w) + lane;
        const float a = score_of(s, at, j), b = score_of(s, at, j + WARP);
        const int best = warp_min(min(__float_as_int(a), __float_as_int(b)));
        const float limit = __int_as_float(best) + window;
        const unsigned in_a = __ballot_sync(all_lanes, a <= limit);
        const unsigned in_b = __ballot_sync(all_lanes, b <= limit);

        if (lane == who) {
            near_a = in_a;
            near_b = in_b;
        }
    }
    if (!mine)
        return;
    if (!one || __popc(near_a) + __popc(near_b) != 1) {
        s.doubt[1 + atomicAdd(&s.doubt[0], 1)] = (unsigned)i;
        return;
    }

    const unsigned j =
        tile * PART + (near_a != 0 ? __ffs((int)near_a) - 1 : WARP + __ffs((int)near_b) - 1);

    obs.index[i] = j;
    obs.distance[i] = plain_haversine(lat, lon, s.ref.lat[j], s.ref.lon[j]);
}

__global__ static void __launch_bounds__(ANSWER) knn_answer(sweep s, points obs)
{
    __shared__ float4 asks[ANSWER];

    answer(s, obs, (size_t)blockIdx.x * ANSWER + threadIdx.x, &asks[threadIdx.x / WARP * WARP]);
}

struct shortlist { /* of a warp */
    unsigned count; /* goes on beyond SOME, but then they are not written down */
    unsigned *who;  /* [SOME] on the device, in order */
};

/* Those references of a tile that score at most `limit` go on the list. */
__device__ static void look(shortlist *list, sweep s, unsigned tile, float4 at, float limit)
{
    const unsigned lane = threadIdx.x % WARP;

    for (unsigned half = 0; half < PART; half += WARP) {
        const unsigned j = tile * PART + half + lane;
        const bool near = score_of(s, at, j) <= limit;
        const unsigned all = __ballot_sync(all_lanes, near);
        const unsigned place = list->count + __popc(all & ((1u << lane) - 1));

        if (near && place < SOME)
            list->who[place] = j;
        list->count += __popc(all);
    }
}

/* Is any reference of some tiles of a quarter in the window?  All loads are under way at once. */
__device__ static bool any_near(sweep s, unsigned tile, float4 at, float limit)
{
    enum { FOUR = 4, EACH = PART / FOUR }; /* references of a lane; lanes of a tile */
    const unsigned last = s.chunks * QUARTERS - QUARTERS + tile % QUARTERS;
    const unsigned lane = threadIdx.x % WARP;
    unsigned near = 0;

    tile += lane / EACH * QUARTERS;
#pragma unroll
    for (unsigned t = 0; t < AT_ONCE; t += WARP / EACH * QUARTERS)
        near |= near_four(s, at, (size_t)min(tile + t, last) * PART + lane % EACH * FOUR, limit);
    return __any_sync(all_lanes, near != 0);
}

/* All tiles in question, which are all of a crowded quarter, until there are too many candidates. */
__device__ static void look_at_all(shortlist *list, sweep s, const unsigned (&where)[QUARTERS],
                                   float4 at, float limit)
{
    const unsigned end = s.chunks * QUARTERS;

    for (unsigned q = 0; q < QUARTERS && list->count <= SOME; q++) {
        if (where[q] < CROWDED)
            look(list, s, where[q], at, limit);
        if (where[q] < CROWDED || where[q] == NOWHERE)
            continue;
        for (unsigned t = q; t < end && list->count <= SOME; t += AT_ONCE) {
            if (!any_near(s, t, at, limit))
                continue;
            for (unsigned e = t; e < t + AT_ONCE && e < end; e += QUARTERS)
                look(list, s, e, at, limit);
        }
    }
}

/* A warp each.  Leaves in found[i] how many candidates there are, and which; of more than SOME,
   the limit. */
__global__ static void __launch_bounds__(ANSWER) knn_settle(sweep s, points obs)
{
    const unsigned lane = threadIdx.x % WARP, warps = gridDim.x * (ANSWER / WARP);

    for (unsigned d = (blockIdx.x * ANSWER + threadIdx.x) / WARP; d < s.doubt[0]; d += warps) {
        const size_t i = s.doubt[1 + d];
        const uint4 in = s.found[i];
        const unsigned where[QUARTERS] = {in.x, in.y, in.z, in.w};
        const float4 at = unit_vector(obs.lat[i], obs.lon[i]);
        shortlist list = {0, &s.found[i].y};
        int best = farthest;

#pragma unroll
        for (unsigned q = 0; q < QUARTERS; q++) {
            const size_t j = (size_t)(where[q] & ~CROWDED) * PART + lane;

            if (where[q] != NOWHERE)
                best = __vimin3_s32(best, __float_as_int(score_of(s, at, j)),
                                    __float_as_int(score_of(s, at, j + WARP)));
        }

        const float limit = __int_as_float(warp_min(best)) + window;

        __syncwarp(); /* all have read what is now written over, by one lane or another */
        look_at_all(&list, s, where, at, limit);
        __syncwarp();
        if (lane > 0)
            continue;
        s.found[i].x = list.count;
        if (list.count > SOME) {
            s.found[i].y = __float_as_uint(limit);
            s.many[1 + atomicAdd(&s.many[0], 1)] = (unsigned)i;
        }
    }
}

/* --- and then float64 decides ------------------------------------------------------------------ */

struct nearest_so_far { /* by float64, of those that this lane has seen */
    double far;
    unsigned who;
};

__device__ static void decide(nearest_so_far *c, double far, unsigned who)
{
    if (far < c->far || (far == c->far && who < c->who)) {
        c->far = far;
        c->who = who;
    }
}

/* Of what so many neighbouring lanes have, a power of two, the nearest, for all of them */
__device__ static void decide_among(nearest_so_far *c, unsigned lanes)
{
    const unsigned first = threadIdx.x % WARP / lanes * lanes;
    const unsigned all = all_lanes >> (WARP - lanes) << first;

    for (unsigned step = lanes / 2; step > 0; step /= 2) {
        const double far = __shfl_xor_sync(all, c->far, step);

        decide(c, far, __shfl_xor_sync(all, c->who, step));
    }
}

/* A block together: all references.  At a pole, say, all longitudes are one place, so candidates lie
   in tiles all over, and a warp would go from one to the other while all others are done. */
__device__ static void look_everywhere(sweep s, points obs, size_t i)
{
    enum { LOADS = 16 };
    __shared__ nearest_so_far of[ANSWER / WARP];
    const size_t references = (size_t)s.chunks * CHUNK;
    const float limit = __uint_as_float(s.found[i].y), lat = obs.lat[i], lon = obs.lon[i];
    const float4 at = unit_vector(lat, lon);
    nearest_so_far c = {INFINITY, 0};

    for (size_t from = threadIdx.x * FOUR; from < references; from += LOADS * ANSWER * FOUR) {
        unsigned long long near = 0;

#pragma unroll
        for (unsigned load = 0; load < LOADS; load++) {
            const size_t j = from + load * ANSWER * FOUR;

            if (j < references)
                near |= (unsigned long long)near_four(s, at, j, limit) << load * FOUR;
        }
        for (; near != 0; near &= near - 1) {
            const unsigned bit = __ffsll((long long)near) - 1;
            const size_t j = from + bit / FOUR * (ANSWER * FOUR) + bit % FOUR;

            decide(&c, haversine(lat, lon, s.ref.lat[j], s.ref.lon[j]), (unsigned)j);
        }
    }
    decide_among(&c, WARP);
    if (threadIdx.x % WARP == 0)
        of[threadIdx.x / WARP] = c;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (const nearest_so_far &warps : of)
            decide(&c, warps.far, warps.who);
        obs.index[i] = c.who;
        obs.distance[i] = (float)c.far;
    }
    __syncthreads();
}

/* Four lanes an observation: the candidates that were written down. */
__device__ static void decide_some(sweep s, points obs)
{
    const unsigned lane = threadIdx.x % FOUR, fours = gridDim.x * (ANSWER / FOUR);

    for (unsigned d = (blockIdx.x * ANSWER + threadIdx.x) / FOUR; d < s.doubt[0]; d += fours) {
        const size_t i = s.doubt[1 + d];
        const uint4 in = s.found[i];
        const unsigned who = lane == 0 ? in.y : lane == 1 ? in.z : in.w;
        nearest_so_far c = {INFINITY, 0};

        if (in.x > SOME)
            continue;
        if (lane < in.x)
            decide(&c, haversine(obs.lat[i], obs.lon[i], s.ref.lat[who], s.ref.lon[who]), who);
        decide_among(&c, FOUR);
        if (lane == 0) {
            obs.index[i] = c.who;
            obs.distance[i] = (float)c.far;
        }
    }
}

__global__ static void __launch_bounds__(ANSWER) knn_decide(sweep s, points obs)
{
    for (unsigned d = blockIdx.x; d < s.many[0]; d += gridDim.x)
        look_everywhere(s, obs, s.many[1 + d]);
    decide_some(s, obs);
}

/* What answer() leaves in doubt */
static void settle_doubts(sweep s, points obs, cudaStream_t stream)
{
    knn_settle<<<SETTLE, ANSWER, 0, stream>>>(s, obs);
    CUDA(cudaGetLastError());
    knn_decide<<<SETTLE, ANSWER, 0, stream>>>(s, obs);
    CUDA(cudaGetLastError());
}

[[maybe_unused]] static void settle(sweep s, points obs, cudaStream_t stream)
{
    knn_answer<<<blocks_of(obs.count, ANSWER), ANSWER, 0, stream>>>(s, obs);
    CUDA(cudaGetLastError());
    settle_doubts(s, obs, stream);
}

#endif
