/*
 * For CUDA variants that compare few references only: finds the nearest by the table of cuda_cells.h.
 *
 *     knn_cells_answer   a thread for each observation compares the references on its cell's list, by float32
 *                        chords.  If the best two are too close, or the list is longer than MANY, the
 *                        observation goes to doubt[]
 *     knn_cells_decide   some lanes for each of these: all candidates, by float64
 *
 *     doubt[]            | 2 counters | short lists -->      ...       <-- long lists |
 *
 * Error    A chord by __sinf and __cosf is within E = 80u of the exact one (u = 2^-24).  float64 decides among
 *          references within 2E of the best (docs/knn-exactness.md, "GPU: fast chords").
 */
#ifndef RUNGS_KNN_CUDA_LOOKUP_H
#define RUNGS_KNN_CUDA_LOOKUP_H

#include "cuda_cells.h" /* cells, cell; haversine, nearest_f64, keep_nearer, WARP, all_lanes */

enum {
    LOOK = 128, DECIDE = 256, /* threads of a block */
    DECIDERS = 512,           /* blocks of knn_cells_decide */
    DOUBTS = 2                /* counters in doubt[]: observations with a short list (CELL references), which
                                 follow them; and with a longer one, from the end backwards */
};
static const float in_doubt = 0x1.4p-17f; /* 2E */

__device__ static const cell *cell_of(cells in, float lat, float lon)
{
    const int rows = in.regions * PATCHES * PATCH;
    const float scale = rows * 0.318309886f;
    const int row = min(max((int)((lat + 1.5707963f) * scale), 0), rows - 1);
    int column = (int)floorf(lon * scale) + rows;

    column += column < 0 ? 2 * rows : 0;
    column -= column >= 2 * rows ? 2 * rows : 0;
    return in.table + (size_t)row * (2 * rows) + column;
}

/* The square of a chord, from latitudes and longitudes: 8 bytes for a reference, so that 2^14 of them fit in a
   first-level cache.  Beyond pi the fast sine is less exact, hence the second fminf. */
__device__ static float fast_chord2(float lat, float lon, float cos_lat, float2 to)
{
    const float half_lon = fabsf(to.y - lon) / 2;
    const float sin_lat = __sinf((to.x - lat) / 2);
    const float sin_lon = __sinf(fminf(half_lon, fabsf(half_lon - 3.1415927f)));

    return 4 * fmaxf(sin_lat * sin_lat + cos_lat * __cosf(to.x) * (sin_lon * sin_lon), 0);
}

/* The distance in float32 */
__device__ static float plain_haversine(float lat1, float lon1, float2 to)
{
    const float sin_lat = sinf((to.x - lat1) / 2), sin_lon = sinf((to.y - lon1) / 2);
    const float h = sin_lat * sin_lat + cosf(lat1) * cosf(to.x) * (sin_lon * sin_lon);

    return 2 * asinf(sqrtf(fminf(h, 1)));
}

/* The squared chord up to which float32 cannot tell a reference from the best */
__device__ static float limit_of(float best)
{
    return (sqrtf(best) + in_doubt) * (sqrtf(best) + in_doubt);
}

struct list { /* of references that may be nearest */
    unsigned count;
    const unsigned *index; /* NULL: all references */
};

__device__ static list list_of(const cell *at, cells in, unsigned n)
{
    if (at->count == ALL)
        return {n, NULL};
    return {at->count, at->count <= CELL ? at->index : in.pool + at->index[0]};
}

__device__ static unsigned reference_of(list of, unsigned e)
{
    return of.index != NULL ? of.index[e] : e;
}

/* Returns, in each of LANES neighbouring lanes, the nearest reference of a list by float64, of equal ones the
   first.  Candidates are those that float32 cannot tell from the best.  They are collected in near[], which
   belongs to these lanes, until there is one for each lane. */
template <unsigned LANES>
__device__ static nearest_f64 nearest_of(cells in, list of, float lat, float lon,
                                            unsigned (&near)[2 * LANES])
{
    const unsigned lane = threadIdx.x % LANES, before = threadIdx.x % WARP - lane;
    const unsigned us = all_lanes >> (WARP - LANES) << before;
    const float cos_lat = __cosf(lat);
    nearest_f64 c = {INFINITY, 0};
    float best = 8; /* squared chords */
    unsigned held = 0;

    for (unsigned e = lane; e < of.count; e += LANES)
        best = fminf(best, fast_chord2(lat, lon, cos_lat, in.place[reference_of(of, e)]));
    for (unsigned step = LANES / 2; step > 0; step /= 2)
        best = fminf(best, __shfl_xor_sync(us, best, step));

    const float limit = limit_of(best);

    for (unsigned first = 0; first < of.count; first += LANES) {
        const bool there = first + lane < of.count, last = of.count - first <= LANES;
        const unsigned j = there ? reference_of(of, first + lane) : 0;
        const bool asks = there && fast_chord2(lat, lon, cos_lat, in.place[j]) <= limit;
        const unsigned all = __ballot_sync(us, asks) >> before;

        if (asks)
            near[held + __popc(all & ((1u << lane) - 1))] = j;
        held += __popc(all);
        __syncwarp(us);
        while (held >= LANES || (last && held > 0)) {
            const unsigned mine = near[lane], next = near[LANES + lane];

            if (lane < held)
                keep_nearer(&c, haversine(lat, lon, in.place[mine].x, in.place[mine].y), mine);
            __syncwarp(us);
            near[lane] = next;
            __syncwarp(us);
            held -= min(held, LANES);
        }
    }
    nearest_of_lanes(&c, LANES);
    return c;
}

__global__ static void __launch_bounds__(LOOK)
    knn_cells_answer(size_t m, cells in, const float *obs_lat, const float *obs_lon,
                     uint32_t *index, float *distance, unsigned *doubt)
{
    const size_t i = (size_t)blockIdx.x * LOOK + threadIdx.x;

    if (i >= m)
        return;

    const float lat = obs_lat[i], lon = obs_lon[i], cos_lat = __cosf(lat);
    const cell *home = cell_of(in, lat, lon);
    const uint4 head = *(const uint4 *)home;
    const unsigned count = head.x <= MANY ? head.x : 0; /* no list is empty */
    const unsigned *list = count <= CELL ? home->index : in.pool + head.y;
    float best = 8, next = 8; /* squared chords */
    float2 where = {};
    unsigned who = 0;

#pragma unroll 2 /* with 4, lanes with short lists wait for those with long ones */
    for (unsigned e = 0; e < count; e++) {
        const unsigned j = count > FIRST ? list[e] : e == 0 ? head.y : e == 1 ? head.z : head.w;
        const float2 its = in.place[j];
        const float chord = fast_chord2(lat, lon, cos_lat, its);

        next = fminf(next, fmaxf(best, chord));
        if (chord < best) {
            best = chord;
            where = its;
            who = j;
        }
    }
    if (count == 0 || next <= limit_of(best)) { /* left to knn_cells_decide */
        if (head.x <= CELL)
            doubt[DOUBTS + atomicAdd(&doubt[0], 1)] = (unsigned)i;
        else
            doubt[DOUBTS + m - 1 - atomicAdd(&doubt[1], 1)] = (unsigned)i;
        return;
    }
    index[i] = who;
    distance[i] = plain_haversine(lat, lon, where);
}

/* Decides `count` observations in doubt, with LANES lanes for each.  This is a kernel of its own: within
   knn_cells_answer these would keep other lanes waiting, and every thread would need their registers. */
template <unsigned LANES>
__device__ static void decide_all(unsigned n, cells in, const float *obs_lat, const float *obs_lon,
                                  uint32_t *index, float *distance, const unsigned *doubt, int step,
                                  unsigned count, unsigned block, unsigned blocks)
{
    __shared__ unsigned near[DECIDE / LANES][2 * LANES];
    const unsigned mine = threadIdx.x / LANES, lane = threadIdx.x % LANES;

    near[mine][lane] = near[mine][LANES + lane] = 0;
    __syncwarp();
    for (unsigned d = block * (DECIDE / LANES) + mine; d < count; d += blocks * (DECIDE / LANES)) {
        const unsigned i = doubt[(ptrdiff_t)d * step];
        const cell *home = cell_of(in, obs_lat[i], obs_lon[i]);
        const nearest_f64 c =
            nearest_of<LANES>(in, list_of(home, in, n), obs_lat[i], obs_lon[i], near[mine]);

        if (lane == 0) {
            index[i] = c.who;
            distance[i] = (float)c.far;
        }
    }
}

/* A quarter of the blocks takes the long lists, a warp for each. */
__global__ static void __launch_bounds__(DECIDE)
    knn_cells_decide(size_t m, unsigned n, cells in, const float *obs_lat, const float *obs_lon,
                     uint32_t *index, float *distance, const unsigned *doubt)
{
    const unsigned blocks = gridDim.x / 4;

    if (blockIdx.x < blocks)
        decide_all<WARP>(n, in, obs_lat, obs_lon, index, distance, doubt + DOUBTS + m - 1, -1,
                         doubt[1], blockIdx.x, blocks);
    else
        decide_all<CELL + 1>(n, in, obs_lat, obs_lon, index, distance, doubt + DOUBTS, 1, doubt[0],
                             blockIdx.x - blocks, gridDim.x - blocks);
}

/* Answers m observations by the table.  doubt: [DOUBTS + m], for this call */
static void cells_answer(cells in, size_t n, size_t m, const float *lat, const float *lon,
                         uint32_t *index, float *distance, unsigned *doubt, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((m + LOOK - 1) / LOOK);

    CUDA(cudaMemsetAsync(doubt, 0, DOUBTS * sizeof *doubt, stream));
    knn_cells_answer<<<blocks, LOOK, 0, stream>>>(m, in, lat, lon, index, distance, doubt);
    CUDA(cudaGetLastError());
    knn_cells_decide<<<DECIDERS, DECIDE, 0, stream>>>(m, (unsigned)n, in, lat, lon, index, distance,
                                                      doubt);
    CUDA(cudaGetLastError());
}

#endif
