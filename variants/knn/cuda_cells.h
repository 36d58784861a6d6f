/*
 * For CUDA variants that look at few references only: a table of the sphere, which says of each small
 * cell of latitude by longitude what may be nearest to an observation in it.
 *
 * Lists    A point of a cell is no farther from the cell's centre than its radius.  Let the nearest
 *          reference to the centre be at chord c: to no point of the cell is its nearest farther
 *          than c + radius, so that none farther than c + 2 radius from the centre is nearest to
 *          any (all by the triangle inequality, and equally near ones stay in).
 * Levels   The sphere has regions, of 2 x 2 patches, of 4 x 4 sheets, of 8 x 8 cells.  What is not
 *          on the list of a region is not on those of its patches; so a list is made from that of
 *          one level up, and a region's alone from all references.
 * Radius   Half the diagonal, from the centre straight to a corner on a map, is a path on the
 *          sphere; along it, a degree of longitude is at most as long as on the cell's side nearer
 *          to the equator.  The margin covers rounding, twice, as the centre's distance from the
 *          nearest and its own from the point both count: the centre, by __sinf and __cosf, is off
 *          by 1.3e-6, a reference by 9u (cuda_exact.h), the place of an observation among the cells
 *          by 1e-6; and chords by a few u.
 * Answers  cuda_lookup.h
 */
#ifndef RUNGS_KNN_CUDA_CELLS_H
#define RUNGS_KNN_CUDA_CELLS_H

#include "common/cuda.h"
#include "cuda_exact.h" /* unit_vector, WARP, all_lanes */

enum {
    PATCHES = 2, SHEETS = 4, CELLS = 8, /* along a region, a patch, a sheet */
    PATCH = SHEETS * CELLS,             /* cells along a patch */
    ROOT = 16,                /* of the root of n there is one region from pole to pole */
    POINTS = 128, GATHER = 1024, /* threads of a block: of references; of a region */
    BUILD = SHEETS * SHEETS * WARP, /* of a patch, a warp for each sheet */
    FAR = 4096,               /* references on the list of a region */
    NEAR = 768,               /* of a patch */
    SHEET = 128,              /* of a sheet */
    CELL = 7,                 /* of a cell: with their count, a sector of memory; longer lists are in
                                 the pool */
    FIRST = 3,                /* of a cell: these are read with the count */
    MANY = 16                 /* cells with more than that have the list of their sheet */
};
static const float margin = 1e-5f;
static const unsigned ALL = 0xffffffff; /* a list that has no room: all references */

struct cell {
    unsigned count;       /* ALL: the pool had no room */
    unsigned index[CELL]; /* if there are more: index[0] is where they begin in the pool */
};

struct cells {
    int regions;      /* from pole to pole; twice as many around */
    float4 *far;      /* [2 * regions * regions][FAR] lists of regions: unit vectors, and the index
                         as bits */
    unsigned *fars;   /* [2 * regions * regions] how many there are; more than FAR: all */
    cell *table;      /* [regions * PATCHES * PATCH][2 * regions * PATCHES * PATCH] */
    unsigned *pool;   /* lists, from place 1 on, so that 0 can be no place */
    unsigned room;    /* of the pool */
    unsigned long long *used; /* of it, and what was asked for and not there, which may pass 2^32 */
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
    const float lat = (2 * row + 1 - rows) * half, lon = (2 * column + 1 - 2 * rows) * half;
    const float cos_lat = __cosf(lat), widest = __cosf(fmaxf(fabsf(lat) - half, 0));

    return {make_float4(cos_lat * __cosf(lon), cos_lat * __sinf(lon), __sinf(lat), 0),
            half * sqrtf(1 + widest * widest)};
}

/* The same wherever it is asked for, whatever a compiler fuses: a list is counted in one loop and
   written down in another. */
__device__ static float chord2(float4 a, float4 b)
{
    const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;

    return __fmaf_rn(z, z, __fmaf_rn(y, y, __fmul_rn(x, x)));
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

/* Of a block, the least; leasts[] has a place for each warp. */
__device__ static float block_least(float x, float *leasts)
{
    const unsigned warps = blockDim.x / WARP;

    x = warp_least(x);
    if (threadIdx.x % WARP == 0)
        leasts[threadIdx.x / WARP] = x;
    __syncthreads();
    return warp_least(leasts[threadIdx.x % warps]);
}

__global__ static void knn_cells_points(size_t n, const float *lat, const float *lon, cells to)
{
    const size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (j == 0)
        *to.used = 1;
    if (j >= n)
        return;
    to.unit[j] = unit_vector(lat[j], lon[j]);
    to.unit[j].w = __uint_as_float((unsigned)j);
    to.place[j] = make_float2(lat[j], lon[j]);
}

/* A block for each region */
__global__ static void __launch_bounds__(GATHER) knn_cells_gather(unsigned n, cells to)
{
    __shared__ float leasts[GATHER / WARP];
    __shared__ unsigned found;
    const int row = blockIdx.x / (2 * to.regions), column = blockIdx.x % (2 * to.regions);
    const spot region = spot_at(row, column, to.regions);
    float least = 8;

    if (threadIdx.x == 0)
        found = 0;
    /* Any reference gives a limit; one of 16 is near enough for so large a spot.  Not the first
       ones: files may be in order. */
    for (unsigned j = 16 * threadIdx.x; j < n; j += 16 * GATHER)
        least = fminf(least, chord2(region.at, to.unit[j]));
    least = reach2(region, block_least(least, leasts));
#pragma unroll 4
    for (unsigned j = threadIdx.x; j < n; j += GATHER) {
        const float4 ref = to.unit[j];

        if (chord2(region.at, ref) <= least) {
            const unsigned place = atomicAdd(&found, 1);

            if (place < FAR)
                to.far[(size_t)blockIdx.x * FAR + place] = ref;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        to.fars[blockIdx.x] = found;
}

/* So many places of the pool, or ALL if there is no room for them */
__device__ static unsigned reserve(cells in, unsigned wanted)
{
    const unsigned long long first = atomicAdd(in.used, (unsigned long long)wanted);

    return first + wanted > in.room ? ALL : (unsigned)first;
}

/* All lanes of a warp come here together, each with a cell of its own: the list of the cell, from
   that of its sheet; or if it has more than MANY, that of the sheet, which is written down once:
   `crowd` is where, or 0. */
__device__ static void fill_cell(cells to, cell *out, spot c, const float4 *from, unsigned count,
                                 unsigned *crowd)
{
    unsigned held = 0;
    float least = 8;

#pragma unroll 4
    for (unsigned e = 0; e < count; e++)
        least = fminf(least, chord2(c.at, from[e]));

    const float limit = reach2(c, least);

#pragma unroll 4
    for (unsigned e = 0; e < count; e++) {
        const float4 ref = from[e];
        const bool in = chord2(c.at, ref) <= limit;

        if (in && held < CELL)
            out->index[held] = __float_as_uint(ref.w);
        held += in;
    }
    if (__any_sync(all_lanes, held > MANY) && *crowd == 0) {
        if (threadIdx.x % WARP == 0)
            *crowd = reserve(to, count);
        *crowd = __shfl_sync(all_lanes, *crowd, 0);
        for (unsigned e = threadIdx.x % WARP; *crowd != ALL && e < count; e += WARP)
            to.pool[*crowd + e] = __float_as_uint(from[e].w);
    }
    if (held > CELL) {
        unsigned next = held > MANY ? *crowd : reserve(to, held);

        out->index[0] = next;
        for (unsigned e = 0; held <= MANY && next != ALL && e < count; e++)
            if (chord2(c.at, from[e]) <= limit)
                to.pool[next++] = __float_as_uint(from[e].w);
        held = next == ALL ? ALL : held > MANY ? count : held;
    }
    for (unsigned i = held; i < FIRST; i++)
        out->index[i] = 0;
    out->count = held;
}

/* The lists of a sheet's cells */
__device__ static void fill_cells(cells to, int down, int along, const float4 *from, unsigned count)
{
    const int rows = to.regions * PATCHES * PATCH;
    unsigned crowd = 0;

    for (int c = threadIdx.x % WARP; c < CELLS * CELLS; c += WARP) {
        const int y = down * CELLS + c / CELLS, x = along * CELLS + c % CELLS;

        fill_cell(to, to.table + (size_t)y * (2 * rows) + x, spot_at(y, x, rows), from, count,
                  &crowd);
    }
}

/* A block for each patch, a warp for each sheet, a lane for two cells. */
__global__ static void __launch_bounds__(BUILD) knn_cells_build(unsigned n, cells to)
{
    __shared__ float4 near[NEAR], sheet[BUILD / WARP][SHEET];
    __shared__ float leasts[BUILD / WARP];
    __shared__ unsigned found;
    const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const int patches = to.regions * PATCHES;
    const int row = blockIdx.x / (2 * patches), column = blockIdx.x % (2 * patches);
    const int region = row / PATCHES * (2 * to.regions) + column / PATCHES;
    const spot patch = spot_at(row, column, patches);
    const float4 *from = to.far + (size_t)region * FAR;
    unsigned count = to.fars[region];
    float least = 8;

    if (count > FAR) {
        from = to.unit;
        count = n;
    }
    if (threadIdx.x == 0)
        found = 0;
    for (unsigned e = threadIdx.x; e < count; e += BUILD)
        least = fminf(least, chord2(patch.at, from[e]));
    least = reach2(patch, block_least(least, leasts));
    for (unsigned e = threadIdx.x; e < count; e += BUILD) {
        const float4 ref = from[e];

        if (chord2(patch.at, ref) <= least) {
            const unsigned place = atomicAdd(&found, 1);

            if (place < NEAR)
                near[place] = ref;
        }
    }
    __syncthreads();
    if (found <= NEAR) {
        from = near;
        count = found;
    }

    const int down = row * SHEETS + warp / SHEETS, along = column * SHEETS + warp % SHEETS;
    const spot of = spot_at(down, along, patches * SHEETS);
    unsigned members = 0;

    least = 8;
    for (unsigned e = lane; e < count; e += WARP)
        least = fminf(least, chord2(of.at, from[e]));
    least = reach2(of, warp_least(least));
    for (unsigned e = lane; e - lane < count; e += WARP) {
        const float4 ref = from[min(e, count - 1)];
        const bool in = e < count && chord2(of.at, ref) <= least;
        const unsigned all = __ballot_sync(all_lanes, in);
        const unsigned place = members + __popc(all & ((1u << lane) - 1));

        if (in && place < SHEET)
            sheet[warp][place] = ref;
        members += __popc(all);
    }
    __syncwarp();
    if (members <= SHEET) /* told apart, for the sake of the instructions that read shared memory */
        fill_cells(to, down, along, sheet[warp], members);
    else
        fill_cells(to, down, along, from, count);
}

static const char *cells_refuse(size_t m, size_t n, size_t k)
{
    if (k > 1)
        return "its lists are for one neighbour";
    if (m > UINT32_MAX)
        return "counts observations in 32 bits";
    return n > 1 << 17 ? "its lists are for 2^17 references at most" : NULL;
}

static cells cells_new(size_t n)
{
    const int regions = (int)fmax(sqrt((double)n) / ROOT + 0.5, 1);
    const size_t all = (size_t)regions * PATCHES * PATCH * 2 * regions * PATCHES * PATCH;
    const size_t lists = 2 * (size_t)regions * regions;
    cells c = {};

    c.regions = regions;
    c.room = (unsigned)all;
    CUDA(cudaMalloc(&c.far, lists * FAR * sizeof *c.far));
    CUDA(cudaMalloc(&c.fars, lists * sizeof *c.fars));
    CUDA(cudaMalloc(&c.table, all * sizeof *c.table));
    CUDA(cudaMalloc(&c.pool, c.room * sizeof *c.pool));
    CUDA(cudaMalloc(&c.used, sizeof *c.used));
    CUDA(cudaMalloc(&c.unit, n * sizeof *c.unit));
    CUDA(cudaMalloc(&c.place, n * sizeof *c.place));
    return c;
}

static void cells_free(cells c)
{
    CUDA(cudaFree(c.far));
    CUDA(cudaFree(c.fars));
    CUDA(cudaFree(c.table));
    CUDA(cudaFree(c.pool));
    CUDA(cudaFree(c.used));
    CUDA(cudaFree(c.unit));
    CUDA(cudaFree(c.place));
}

static void cells_build(cells c, size_t n, const float *lat, const float *lon, cudaStream_t stream)
{
    const unsigned lists = 2 * c.regions * c.regions;

    knn_cells_points<<<(unsigned)((n + POINTS - 1) / POINTS), POINTS, 0, stream>>>(n, lat, lon, c);
    CUDA(cudaGetLastError());
    knn_cells_gather<<<lists, GATHER, 0, stream>>>((unsigned)n, c);
    CUDA(cudaGetLastError());
    knn_cells_build<<<lists * PATCHES * PATCHES, BUILD, 0, stream>>>((unsigned)n, c);
    CUDA(cudaGetLastError());
}

#endif
