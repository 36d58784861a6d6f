/*
 * For CUDA rungs that look at few references only: a table of the sphere, which says of each small
 * cell of latitude by longitude what may be nearest to an observation in it.
 *
 * Lists    A point of a cell is no farther from the cell's centre than its radius.  Let the nearest
 *          reference to the centre be at chord c: to no point of the cell is its nearest farther
 *          than c + radius, so that none farther than c + 2 radius from the centre is nearest to
 *          any (all by the triangle inequality, and equally near ones stay in).
 * Levels   The sphere has patches, of 4 x 4 sheets, of 8 x 8 cells.  What is not on the list of a
 *          patch is not on those of its sheets; so a list is made from that of one level up.
 * Radius   Half the diagonal, from the centre straight to a corner on a map, is a path on the
 *          sphere; along it, a degree of longitude is at most as long as on the cell's side nearer
 *          to the equator.  MARGIN covers rounding: chords are off by 2^-20, the place of an
 *          observation among the cells by 2^-20 as well.
 * Error    Half a chord is the root of h = s1^2 + c1 c2 s2^2, the haversine formula's, here by
 *          __sinf and __cosf, which are off by 7u at most (u = 2^-24; CUDA C++ Programming Guide).
 *          With that of the difference of latitudes s1 is off by 8u, and s2 by 12u.  Cosines off by
 *          7u put h off by 7u (c1 + c2) s2^2, and its root by 14u at most, as c1 + c2 is at most 2
 *          sqrt(c1 c2) + 2 s1, and the root no less than s1 and sqrt(c1 c2) s2; the products' own
 *          rounding is 2u.  So chords are off by 72u.  We use E = 80u, and have float64 decide
 *          between references within 2E of the best.
 */
#ifndef RUNGS_KNN_CUDA_CELLS_H
#define RUNGS_KNN_CUDA_CELLS_H

#include "common/cuda.h"
#include "cuda_exact.h" /* unit_vector, haversine, WARP, all_lanes */

enum {
    SHEETS = 4, CELLS = 8,  /* sheets along a patch, cells along a sheet */
    PATCH = SHEETS * CELLS, /* cells along a patch */
    PER_PATCH = 8,          /* of the root of n: one patch more from pole to pole */
    BUILD = 256, LOOK = 128, /* threads of a block of sheets; of one of observations */
    BLOCKS = SHEETS * SHEETS * WARP / BUILD, /* of a patch */
    NEAR = 1024,            /* references on the list of a patch */
    SHEET = 96,             /* of a sheet */
    CELL = 7,               /* of a cell: with their count, a sector of memory */
    DECIDE = 512            /* blocks that decide on doubts */
};
static const float margin = 4e-6f;
static const float in_doubt = 0x1.4p-17f; /* 2E */
static const unsigned ALL = 0xffffffff; /* a list that has no room: all references */

struct cell {
    unsigned count, index[CELL]; /* if there are more: index[0] is where they begin in the pool */
};

struct cells {
    int patches;      /* from pole to pole; twice as many around */
    cell *table;      /* [patches * PATCH][2 * patches * PATCH] */
    unsigned *pool;   /* [0] how many are used; then lists */
    unsigned room;    /* of the pool */
    float4 *unit;     /* [n] unit vectors, and the index as bits */
    float2 *place;    /* [n] latitude, longitude */
};

struct spot { /* a patch, sheet, or cell */
    float4 at;    /* its centre */
    float radius;
};

__device__ static spot spot_at(int row, int column, int rows)
{
    const float half = 1.5707963f / rows;
    const float lat = (2 * row + 1 - rows) * half, lon = (2 * column + 1) * half;
    const float widest = cosf(fmaxf(fabsf(lat) - half, 0));

    return {unit_vector(lat, lon), half * sqrtf(1 + widest * widest)};
}

__device__ static float chord2(float4 a, float4 b)
{
    const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;

    return x * x + y * y + z * z;
}

/* Who is not farther away than this, squared, stays, if the nearest to the centre is at `least`. */
__device__ static float reach2(spot of, float least)
{
    const float reach = sqrtf(least) + 2 * of.radius + margin;

    return reach * reach;
}

__device__ static float warp_least(float x) /* of positive ones */
{
    return __int_as_float(warp_min(__float_as_int(x)));
}

__global__ static void knn_cells_points(size_t n, const float *lat, const float *lon, cells to)
{
    const size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (j == 0)
        to.pool[0] = 1;
    if (j >= n)
        return;
    to.unit[j] = unit_vector(lat[j], lon[j]);
    to.unit[j].w = __uint_as_float((unsigned)j);
    to.place[j] = make_float2(lat[j], lon[j]);
}

/* The list of a cell, from that of its sheet: from[of[0]], from[of[1]] ..., or all of `from`. */
__device__ static void fill_cell(cells to, cell *out, spot c, const float4 *from,
                                 const unsigned *of, unsigned count)
{
    cell mine = {};
    float least = 8;

    for (unsigned e = 0; e < count; e++)
        least = fminf(least, chord2(c.at, from[of != NULL ? of[e] : e]));

    const float limit = reach2(c, least);

    for (unsigned e = 0; e < count; e++) {
        const float4 ref = from[of != NULL ? of[e] : e];

        if (!(chord2(c.at, ref) <= limit))
            continue;
#pragma unroll
        for (unsigned i = 0; i < CELL; i++)
            if (mine.count == i)
                mine.index[i] = __float_as_uint(ref.w);
        mine.count++;
    }
    if (mine.count > CELL) {
        unsigned next = mine.index[0] = atomicAdd(to.pool, mine.count);

        if (next + mine.count > to.room || next + mine.count < next)
            mine.count = ALL;
        for (unsigned e = 0; mine.count != ALL && e < count; e++) {
            const float4 ref = from[of != NULL ? of[e] : e];

            if (chord2(c.at, ref) <= limit)
                to.pool[next++] = __float_as_uint(ref.w);
        }
    }
    *out = mine;
}

/* Two blocks for each patch, a warp for each sheet, a thread for two cells. */
__global__ static void __launch_bounds__(BUILD, 8) knn_cells_build(unsigned n, cells to)
{
    __shared__ float4 near[NEAR];
    __shared__ unsigned sheet[BUILD / WARP][SHEET];
    __shared__ float leasts[BUILD / WARP];
    __shared__ unsigned found;
    const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const unsigned which = blockIdx.x / BLOCKS, s = blockIdx.x % BLOCKS * (BUILD / WARP) + warp;
    const int row = which / (2 * to.patches), column = which % (2 * to.patches);
    const spot patch = spot_at(row, column, to.patches);
    float least = 8;

    /* Any reference gives a limit; one of 16 is near enough for so large a spot. */
    for (unsigned j = threadIdx.x; j < (n + 15) / 16; j += BUILD)
        least = fminf(least, chord2(patch.at, to.unit[j]));
    least = warp_least(least);
    if (lane == 0)
        leasts[warp] = least;
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    least = reach2(patch, warp_least(leasts[lane % (BUILD / WARP)]));
    for (unsigned j = threadIdx.x; j < n; j += BUILD)
        if (chord2(patch.at, to.unit[j]) <= least) {
            const unsigned place = atomicAdd(&found, 1);

            if (place < NEAR)
                near[place] = to.unit[j];
        }
    __syncthreads();

    const float4 *from = found <= NEAR ? near : to.unit;
    const unsigned count = found <= NEAR ? found : n;

    const int down = row * SHEETS + s / SHEETS, along = column * SHEETS + s % SHEETS;
    const spot of = spot_at(down, along, to.patches * SHEETS);
    unsigned members = 0;

    least = 8;
    for (unsigned e = lane; e < count; e += WARP)
        least = fminf(least, chord2(of.at, from[e]));
    least = reach2(of, warp_least(least));
    for (unsigned e = lane; e - lane < count; e += WARP) {
        const bool in = e < count && chord2(of.at, from[e]) <= least;
        const unsigned all = __ballot_sync(all_lanes, in);
        const unsigned place = members + __popc(all & ((1u << lane) - 1));

        if (in && place < SHEET)
            sheet[warp][place] = e;
        members += __popc(all);
    }
    __syncwarp();
    for (int c = lane; c < CELLS * CELLS; c += WARP) {
        const int y = down * CELLS + c / CELLS, x = along * CELLS + c % CELLS;

        fill_cell(to, to.table + (size_t)y * (2 * to.patches * PATCH) + x,
                  spot_at(y, x, to.patches * PATCH), from, members <= SHEET ? sheet[warp] : NULL,
                  members <= SHEET ? members : count);
    }
}

__device__ static const cell *cell_of(cells in, float lat, float lon)
{
    const int rows = in.patches * PATCH;
    const float scale = rows * 0.31830989f;
    const int row = min(max((int)((lat + 1.5707963f) * scale), 0), rows - 1);
    int column = (int)floorf(lon * scale);

    column += column < 0 ? 2 * rows : 0;
    column -= column >= 2 * rows ? 2 * rows : 0;
    return in.table + (size_t)row * (2 * rows) + column;
}

/* The same from latitudes and longitudes: 8 bytes of a reference, and all fit in a first-level
   cache.  Beyond pi, the fast sine is less exact. */
__device__ static float fast_chord2(float lat, float lon, float cos_lat, float2 to)
{
    const float half_lon = fabsf(to.y - lon) / 2;
    const float sin_lat = __sinf((to.x - lat) / 2);
    const float sin_lon = __sinf(fminf(half_lon, fabsf(half_lon - 3.1415927f)));

    return 4 * fmaxf(sin_lat * sin_lat + cos_lat * __cosf(to.x) * (sin_lon * sin_lon), 0);
}

/* How far, in float32 */
__device__ static float plain_haversine(float lat1, float lon1, float2 to)
{
    const float sin_lat = sinf((to.x - lat1) / 2), sin_lon = sinf((to.y - lon1) / 2);
    const float h = sin_lat * sin_lat + cosf(lat1) * cosf(to.x) * (sin_lon * sin_lon);

    return 2 * asinf(sqrtf(fminf(h, 1)));
}

struct list { /* of who may be nearest */
    unsigned count;
    const unsigned *index; /* or NULL: all of them, in order */
};

__device__ static list list_of(const cell *at, uint4 head, cells in, unsigned n)
{
    if (head.x == ALL)
        return {n, NULL};
    return {head.x, head.x <= CELL ? at->index : in.pool + head.y};
}

/* A warp together: of those on the list within `limit`, squared, who is nearest by float64, of
   equal ones the first?  Every lane says so. */
__device__ static unsigned decide(cells in, list of, float lat, float lon, float limit,
                                  double *distance)
{
    const float cos_lat = __cosf(lat);
    double least = INFINITY;
    unsigned who = 0;

    for (unsigned e = threadIdx.x % WARP; e < of.count; e += WARP) {
        const unsigned j = of.index != NULL ? of.index[e] : e;

        if (!(fast_chord2(lat, lon, cos_lat, in.place[j]) <= limit))
            continue;

        const double d = haversine(lat, lon, in.place[j].x, in.place[j].y);

        if (d < least || (d == least && j < who)) {
            least = d;
            who = j;
        }
    }
    for (unsigned step = WARP / 2; step > 0; step /= 2) {
        const double d = __shfl_xor_sync(all_lanes, least, step);
        const unsigned j = __shfl_xor_sync(all_lanes, who, step);

        if (d < least || (d == least && j < who)) {
            least = d;
            who = j;
        }
    }
    *distance = least;
    return who;
}

__global__ static void __launch_bounds__(LOOK)
    knn_cells_answer(size_t m, unsigned n, cells in, const float *obs_lat, const float *obs_lon,
                     uint32_t *index, float *distance, unsigned *doubt)
{
    const size_t i = (size_t)blockIdx.x * LOOK + threadIdx.x;

    if (i >= m)
        return;

    const float lat = obs_lat[i], lon = obs_lon[i], cos_lat = __cosf(lat);
    const cell *home = cell_of(in, lat, lon);
    const uint4 head = *(const uint4 *)home;
    const list of = list_of(home, head, in, n);
    float best = 8, next = 8; /* squared chords */
    float2 where = {};
    unsigned who = 0;

    for (unsigned e = 0; e < of.count; e++) {
        /* Three at most are there already. */
        const unsigned j = head.x > 3        ? of.index == NULL ? e : of.index[e]
                           : e == 0          ? head.y
                           : e == 1          ? head.z
                                             : head.w;
        const float2 its = in.place[j];
        const float chord = fast_chord2(lat, lon, cos_lat, its);

        next = fminf(next, fmaxf(best, chord));
        if (chord < best) {
            best = chord;
            where = its;
            who = j;
        }
    }

    const float limit = (sqrtf(best) + in_doubt) * (sqrtf(best) + in_doubt);

    if (next <= limit) { /* it is up to knn_cells_decide, which needs that limit */
        doubt[1 + atomicAdd(&doubt[0], 1)] = (unsigned)i;
        distance[i] = limit;
        return;
    }
    index[i] = who;
    distance[i] = plain_haversine(lat, lon, where);
}

/* A warp each: those in doubt.  Where they are looked up, they would keep others waiting, and what
   they need of registers nobody else does. */
__global__ static void __launch_bounds__(BUILD)
    knn_cells_decide(unsigned n, cells in, const float *obs_lat, const float *obs_lon,
                     uint32_t *index, float *distance, const unsigned *doubt)
{
    const unsigned warps = gridDim.x * (BUILD / WARP);

    for (unsigned d = (blockIdx.x * BUILD + threadIdx.x) / WARP; d < doubt[0]; d += warps) {
        const unsigned i = doubt[1 + d];
        const cell *home = cell_of(in, obs_lat[i], obs_lon[i]);
        const float limit = distance[i];
        double far;
        const unsigned who = decide(in, list_of(home, *(const uint4 *)home, in, n), obs_lat[i],
                                    obs_lon[i], limit, &far);

        __syncwarp(); /* all lanes have read what is written here */
        if (threadIdx.x % WARP == 0) {
            index[i] = who;
            distance[i] = (float)far;
        }
    }
}

/* The table's answers to m observations; doubt: [1 + m], for this alone */
static void cells_answer(cells in, size_t n, size_t m, const float *lat, const float *lon,
                         uint32_t *index, float *distance, unsigned *doubt, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((m + LOOK - 1) / LOOK);

    CUDA(cudaMemsetAsync(doubt, 0, sizeof *doubt, stream));
    knn_cells_answer<<<blocks, LOOK, 0, stream>>>(m, (unsigned)n, in, lat, lon, index, distance,
                                                  doubt);
    CUDA(cudaGetLastError());
    knn_cells_decide<<<DECIDE, BUILD, 0, stream>>>((unsigned)n, in, lat, lon, index, distance,
                                                   doubt);
    CUDA(cudaGetLastError());
}

static const char *cells_refuse(size_t n, size_t k)
{
    if (k > 1)
        return "its lists are for one neighbour";
    return n > 1 << 17 ? "its lists are for 2^17 references at most" : NULL;
}

static cells cells_new(size_t n)
{
    const int patches = (int)fmax(sqrt((double)n) / PER_PATCH, 1);
    const size_t all = (size_t)patches * PATCH * 2 * patches * PATCH;
    cells c = {};

    c.patches = patches;
    c.room = (unsigned)all;
    CUDA(cudaMalloc(&c.table, all * sizeof *c.table));
    CUDA(cudaMalloc(&c.pool, c.room * sizeof *c.pool));
    CUDA(cudaMalloc(&c.unit, n * sizeof *c.unit));
    CUDA(cudaMalloc(&c.place, n * sizeof *c.place));
    return c;
}

static void cells_free(cells c)
{
    CUDA(cudaFree(c.table));
    CUDA(cudaFree(c.pool));
    CUDA(cudaFree(c.unit));
    CUDA(cudaFree(c.place));
}

static void cells_build(cells c, size_t n, const float *lat, const float *lon, cudaStream_t stream)
{
    knn_cells_points<<<(unsigned)((n + BUILD - 1) / BUILD), BUILD, 0, stream>>>(n, lat, lon, c);
    CUDA(cudaGetLastError());
    knn_cells_build<<<2 * c.patches * c.patches * BLOCKS, BUILD, 0, stream>>>((unsigned)n, c);
    CUDA(cudaGetLastError());
}

#endif
