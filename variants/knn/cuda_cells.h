/*
 * For CUDA variants that compare few references only: a table of the sphere.  It lists, for each small cell of
 * latitude by longitude, all references that may be nearest to an observation in the cell.
 *
 *     the sphere as a map:          a region:            a patch:                    a sheet:
 *     regions, twice as many        2 x 2 patches        4 x 4 sheets                8 x 8 cells
 *     around as from pole to pole
 *     +---+---+---+---+             +-------+-------+    +---+---+---+---+           +-+-+-+-+-+-+-+-+
 *     |   |   |   |   |             |       |       |    |   |   |   |   |           +-+-+-+-+-+-+-+-+
 *     +---+---+---+---+             | patch |       |    +---+---+---+---+           +-+-+-+-+-+-+-+-+
 *     |   |   |   |   |             +-------+-------+    |   |   |   |   |           | | | | | | | | |
 *     +---+---+---+---+             |       |       |    +---+---+---+---+           +-+-+-+-+-+-+-+-+
 *      n = 2^14: 8 x 16             |       |       |    ...                         ...
 *                                   +-------+-------+
 *     list: up to FAR = 4096        NEAR = 768           SHEET = 128 each            CELL = 7, in the table
 *     made from all references,     from the region's,   from the patch's,           from the sheet's,
 *     by a block for each region    by a block           by one of its 16 warps      by a lane
 *
 * Lists    Let the nearest reference to the centre of a cell be at chord c, and let no point of the cell be
 *          farther from the centre than its radius.  A reference that is farther than c + 2 radius from the
 *          centre is nearest to no point of the cell, by the triangle inequality.  The list has all others.
 *          A reference that is not on the list of a region is not on those of its patches, and so on.
 * Full     If a list has no room, the level below reads the list of the level above instead, or all references
 *          if it is a region's.  If a cell has more than CELL, its list is in the pool; if more than MANY, it shares
 *          one copy of its sheet's list there; if the pool is full, its list is all references (ALL).
 * Radius   Half the diagonal: sqrt(half^2 + (half cos)^2), with the cosine at the side nearer to the equator.
 * Margin   1e-5 covers rounding in centres, references and chords, and that of an observation's place among
 *          the cells (docs/knn-exactness.md, "GPU: table of cells").
 */
#ifndef RUNGS_KNN_CUDA_CELLS_H
#define RUNGS_KNN_CUDA_CELLS_H

#include "common/cuda.h"
#include "cuda_exact.h" /* unit_vector, WARP, all_lanes */

enum {
    PATCHES = 2, SHEETS = 4, CELLS = 8, /* along one side of a region, a patch, a sheet */
    PATCH = SHEETS * CELLS,             /* cells along one side of a patch */
    ROOT = 16,                /* regions from pole to pole: sqrt(n) / ROOT */
    POINTS = 128, GATHER = 1024, /* threads of a block: for references; for a region */
    BUILD = SHEETS * SHEETS * WARP, /* ... for a patch: a warp for each sheet */
    FAR = 4096,               /* room on the list of a region */
    NEAR = 768,               /* of a patch */
    SHEET = 128,              /* of a sheet */
    CELL = 7,                 /* of a cell in the table: with its count, 32 bytes, a sector of memory */
    FIRST = 3,                /* references of a cell that one load of 16 bytes reads with the count */
    MANY = 16                 /* a cell with more shares the list of its sheet */
};
static const float margin = 1e-5f;
static const unsigned ALL = 0xffffffff; /* a list that has no room: all references */

struct cell {
    unsigned count;       /* ALL: the pool had no room */
    unsigned index[CELL]; /* of references; if there are more, index[0] is where the list is in the pool */
};

struct cells {
    int regions;      /* from pole to pole; twice as many around */
    float4 *far;      /* [2 * regions * regions][FAR] lists of regions: unit vectors, and the index
                         as bits */
    unsigned *fars;   /* [2 * regions * regions] how many; more than FAR: no list, take all references */
    cell *table;      /* [regions * PATCHES * PATCH][2 * regions * PATCHES * PATCH] */
    unsigned *pool;   /* lists, from place 1 on; 0 means no place */
    unsigned room;    /* of the pool */
    unsigned long long *used; /* places asked for, including those that were not there */
    float4 *unit;     /* [n] unit vectors, and the index as bits */
    float2 *place;    /* [n] latitude, longitude */
};

struct spot { /* a region, patch, sheet, or cell */
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

/* Rounds alike in every loop, whatever the compiler fuses elsewhere: a list is counted in one loop and written
   in another. */
__device__ static float chord2(float4 a, float4 b)
{
    const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;

    return __fmaf_rn(z, z, __fmaf_rn(y, y, __fmul_rn(x, x)));
}

/* A squared chord: references up to there stay on the list, if the nearest to the centre is at `least`. */
__device__ static float reach2(spot of, float least)
{
    const float reach = sqrtf(least) + 2 * of.radius + margin;

    return reach * reach;
}

__device__ static float warp_least(float x) /* x >= 0 */
{
    return __int_as_float(warp_min(__float_as_int(x)));
}

/* Returns the least x of a block.  leasts[]: a place for each warp */
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

/* Lists of regions: a block for each */
__global__ static void __launch_bounds__(GATHER) knn_cells_gather(unsigned n, cells to)
{
    __shared__ float leasts[GATHER / WARP];
    __shared__ unsigned found;
    const int row = blockIdx.x / (2 * to.regions), column = blockIdx.x % (2 * to.regions);
    const spot region = spot_at(row, column, to.regions);
    float least = 8;

    if (threadIdx.x == 0)
        found = 0;
    /* Any reference's distance gives a valid limit; for so large a spot every 16th reference is enough.  Not
       the first n / 16, since files may be sorted. */
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

/* Reserves places of the pool.  Returns the first one, or ALL if there is no room. */
__device__ static unsigned reserve(cells in, unsigned wanted)
{
    const unsigned long long first = atomicAdd(in.used, (unsigned long long)wanted);

    return first + wanted > in.room ? ALL : (unsigned)first;
}

/* Writes the list of one cell, from that of its sheet.  If it has more than MANY references, it is given the
   sheet's list, which is copied to the pool once: *crowd is where, or 0.  A whole warp calls this, each lane for
   a cell. */
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

/* Writes the lists of a sheet's cells.  A whole warp calls this. */
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

/* Lists of patches, sheets and cells: a block for each patch, a warp for each sheet, a lane for two cells */
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
    if (members <= SHEET) /* two calls, so that one of them has instructions that read shared memory only */
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
