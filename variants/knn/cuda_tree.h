/*
 * For CUDA variants that search a tree of the references: boxes of boxes, whatever the density.
 *
 *     references     in the order of a space-filling curve (cuda_curve.h)
 *     leaf           LEAF = 16 of them that follow each other, and the box around their unit vectors
 *     node           FAN = 32 leaves, or 32 nodes of the level below, and the box around them.  A lane each
 *     levels         as many as are needed until 32 nodes or fewer are left: leaves and one more for n = 2^14
 *
 * Points   A reference is stored relative to the centre of its leaf's box.  So float32 tells references apart
 *          even in a crowd.
 * Copies   Of references at one place only the k with the lowest indexes are kept; the others cannot be among the k
 *          nearest.  They follow each other, so a reference is left out if the k before it are at its place.
 * Boxes    2^-22 of each coordinate wider than the references in it: that covers rounding them, and rounding an
 *          observation (docs/knn-exactness.md, "GPU: tree of boxes").
 */
#ifndef RUNGS_KNN_CUDA_TREE_H
#define RUNGS_KNN_CUDA_TREE_H

#include "common/cuda.h"
#include "cuda_curve.h" /* curve, curve_bins, interval_starts; unit_vector, haversine, WARP, all_lanes */

enum {
    LEAF = 16, FAN = WARP,
    EIGHT = 8,                /* references of a leaf that are looked at at once */
    LEVELS = 3,               /* of boxes, at most: leaves, nodes, nodes of nodes */
    NODE = LEAF * FAN,        /* references of a node above leaves */
    GROW = 1024,              /* threads of a block of knn_tree_build */
    COPIES = 32,              /* kept of one place, at most */
    HELD = 3072,              /* references of the bins that a node overlaps, at most in shared memory */
    COUNTERS = 2,
    MOST_REFERENCES = 1 << 17,
    PARTS = 16                /* bins of observations in an interval */
};
static const float nowhere = 1e18f; /* a coordinate of an empty box; its square is finite */

struct box {
    float4 low, high; /* low.w: of a leaf's, its radius, half the diagonal */
};

struct observation { /* three loads of 16 bytes */
    float4 at;   /* unit vector; latitude */
    float4 rest; /* what rounding took off the vector; longitude */
    float4 also; /* the cosine of the latitude, the index as bits; two are unused */
};

struct tree {
    curve ref, obs;
    unsigned copies;      /* kept of one place: k */
    unsigned boxes[LEVELS];
    float4 *low[LEVELS], *high[LEVELS]; /* [boxes], those of the leaves filled up to whole nodes */
    float4 *point;        /* [whole nodes] relative to the leaf's centre, and the index as bits */
    float4 *place;        /* [whole nodes] latitude, longitude, cosine of the latitude, and the index as bits */
    observation *sorted;  /* [m] by bin */
    unsigned *counter;    /* [COUNTERS + boxes[2]] 0 when the search begins: those that a variant wants, and how
                             many nodes are ready of each node of nodes */
};

/* --- unit vectors in float64 ------------------------------------------------------------------ */

struct place3 {
    double x, y, z, cos_lat;
};

/* Sine and cosine by Taylor series up to x^13 and x^14 on |x| <= pi/4, off by less than 3e-14 */
__device__ static void sine_cosine(double angle, double *sine, double *cosine)
{
    const double turns = rint(angle * 0.63661977236758134);
    const double x = fma(-turns, 6.123233995736766e-17, fma(-turns, 1.5707963267948966, angle)), z = x * x;
    const double s = x * fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, 1. / 6227020800, -1. / 39916800), 1. / 362880),
                                               -1. / 5040), 1. / 120), -1. / 6), 1.);
    const double c = fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, fma(z, -1. / 87178291200, 1. / 479001600),
                                                         -1. / 3628800), 1. / 40320), -1. / 720), 1. / 24), -.5), 1.);
    const int quarter = (int)turns;
    const double a = quarter & 1 ? c : s, b = quarter & 1 ? s : c;

    *sine = quarter & 2 ? -a : a;
    *cosine = (quarter + 1) & 2 ? -b : b;
}

__device__ static place3 precise_vector(float lat, float lon)
{
    double sin_lat, cos_lat, sin_lon, cos_lon;

    sine_cosine(lat, &sin_lat, &cos_lat);
    sine_cosine(lon, &sin_lon, &cos_lon);
    return {cos_lat * cos_lon, cos_lat * sin_lon, sin_lat, cos_lat};
}

__device__ static observation observation_of(float lat, float lon, unsigned index)
{
    const place3 at = precise_vector(lat, lon);
    const float x = (float)at.x, y = (float)at.y, z = (float)at.z;

    return {make_float4(x, y, z, lat), make_float4((float)(at.x - x), (float)(at.y - y), (float)(at.z - z), lon),
            make_float4((float)at.cos_lat, __uint_as_float(index), 0, 0)};
}

/* --- building --------------------------------------------------------------------------------- */

__device__ static float4 middle(float4 low, float4 high)
{
    return make_float4((low.x + high.x) * .5f, (low.y + high.y) * .5f, (low.z + high.z) * .5f, 0);
}

/* Widens a box of each lane to those of `lanes` neighbouring ones. */
__device__ static box around(box b, unsigned lanes)
{
    for (unsigned step = lanes / 2; step > 0; step /= 2) {
        b.low.x = fminf(b.low.x, __shfl_xor_sync(all_lanes, b.low.x, step));
        b.low.y = fminf(b.low.y, __shfl_xor_sync(all_lanes, b.low.y, step));
        b.low.z = fminf(b.low.z, __shfl_xor_sync(all_lanes, b.low.z, step));
        b.high.x = fmaxf(b.high.x, __shfl_xor_sync(all_lanes, b.high.x, step));
        b.high.y = fmaxf(b.high.y, __shfl_xor_sync(all_lanes, b.high.y, step));
        b.high.z = fmaxf(b.high.z, __shfl_xor_sync(all_lanes, b.high.z, step));
    }
    return b;
}

__device__ static box box_of(place3 at, bool there)
{
    const float x = (float)at.x, y = (float)at.y, z = (float)at.z;
    const float dx = fabsf(x) * 0x1p-22f, dy = fabsf(y) * 0x1p-22f, dz = fabsf(z) * 0x1p-22f;

    if (!there)
        return {make_float4(nowhere, nowhere, nowhere, 0), make_float4(-nowhere, -nowhere, -nowhere, 0)};
    return {make_float4(x - dx, y - dy, z - dz, 0), make_float4(x + dx, y + dy, z + dz, 0)};
}

/* Shared memory of a block that builds a node */
struct growing {
    unsigned start[SAMPLES + 2], sums[WARP];
    unsigned long long key[HELD];
    unsigned who[HELD];
    unsigned order[NODE + COPIES]; /* indexes of the references from number `first` on */
    float4 low[FAN], high[FAN];
};

/* The first bin that holds a number above `rank` */
__device__ static unsigned bin_at(const unsigned *start, unsigned bins, unsigned rank)
{
    unsigned low = 0, high = bins - 1;

    while (low < high) {
        const unsigned middle = (low + high) / 2;

        if (start[middle + 1] > rank)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Writes the indexes of the references from number `first` to `end` of the order to g->order.  A block calls this. */
__device__ static void sort_range(tree t, growing *g, unsigned first, unsigned end)
{
    const unsigned bins = bins_of(t.ref), n = (unsigned)t.ref.count;
    const unsigned from = bin_at(g->start, bins, first), to = bin_at(g->start, bins, end - 1);
    const unsigned base = g->start[from], held = g->start[to + 1] - base;

    if (held <= HELD) {
#pragma unroll 8
        for (unsigned j = threadIdx.x; j < n; j += GROW) {
            const uint2 where = t.ref.where[j];

            if (where.x >= from && where.x <= to)
                g->who[g->start[where.x] - base + where.y] = j;
        }
        __syncthreads();
        for (unsigned e = threadIdx.x; e < held; e += GROW)
            g->key[e] = t.ref.key[g->who[e]];
        __syncthreads();
        for (unsigned e = threadIdx.x; e < held; e += GROW) {
            const unsigned j = g->who[e], bin = bin_at(g->start, bins, base + e);
            const unsigned long long key = g->key[e];
            unsigned rank = g->start[bin];

#pragma unroll 8
            for (unsigned o = g->start[bin] - base; o < g->start[bin + 1] - base; o++) {
                const unsigned long long other = g->key[o];

                rank += other < key;
                if (other == key)
                    rank += g->who[o] < j;
            }
            if (rank >= first && rank < end)
                g->order[rank - first] = j;
        }
    } else /* a bin with many: the sample did not represent it */
        for (unsigned j = threadIdx.x; j < n; j += GROW) {
            const unsigned bin = t.ref.where[j].x;

            if (bin < from || bin > to)
                continue;

            const unsigned long long key = t.ref.key[j];
            unsigned rank = g->start[bin];

            for (unsigned o = 0; o < n; o++)
                if (t.ref.where[o].x == bin)
                    rank += t.ref.key[o] < key || (t.ref.key[o] == key && o < j);
            if (rank >= first && rank < end)
                g->order[rank - first] = j;
        }
    __syncthreads();
}

/* Are the references at the `copies` places of the order before this one all at (lat, lon)? */
__device__ static bool has_copies(tree t, const unsigned *order, unsigned place, float lat, float lon)
{
    unsigned copies = 0;

    while (copies < t.copies && copies < place) {
        const unsigned other = order[place - 1 - copies];

        if (t.ref.lat[other] != lat || t.ref.lon[other] != lon)
            break;
        copies++;
    }
    return copies == t.copies;
}

/* Writes a leaf for each LEAF threads.  Returns its box. */
__device__ static box plant_leaf(tree t, growing *g, unsigned node, unsigned first)
{
    const unsigned slot = node * NODE + threadIdx.x, n = (unsigned)t.ref.count;
    const unsigned j = slot < n ? g->order[slot - first] : 0;
    const float lat = t.ref.lat[j], lon = t.ref.lon[j];
    const place3 at = precise_vector(lat, lon);
    bool there = slot < n;

    there = there && !has_copies(t, g->order, slot - first, lat, lon);

    const box b = around(box_of(at, there), LEAF);
    const float4 centre = middle(b.low, b.high);
    const float4 from = there ? make_float4((float)(at.x - centre.x), (float)(at.y - centre.y),
                                            (float)(at.z - centre.z), __uint_as_float(j))
                              : make_float4(NAN, NAN, NAN, 0); /* passes no comparison */

    t.point[slot] = from;
    t.place[slot] = make_float4(lat, lon, (float)at.cos_lat, __uint_as_float(j));
    if (threadIdx.x % LEAF == 0) {
        const float x = b.high.x - centre.x, y = b.high.y - centre.y, z = b.high.z - centre.z;

        t.low[0][slot / LEAF] = make_float4(b.low.x, b.low.y, b.low.z, sqrtf(x * x + y * y + z * z));
        t.high[0][slot / LEAF] = b.high;
    }
    return b;
}

/* Writes the box of this node, and that of the node above if all others below it are ready.  A warp calls this. */
__device__ static void plant_nodes(tree t, growing *g, unsigned node)
{
    const unsigned lane = threadIdx.x % WARP, above = node / FAN;
    const unsigned siblings = min(t.boxes[1] - above * FAN, (unsigned)FAN);
    const box b = around({g->low[lane], g->high[lane]}, WARP);
    unsigned ready = 0;

    if (lane == 0) {
        t.low[1][node] = b.low;
        t.high[1][node] = b.high;
    }
    if (t.boxes[1] <= FAN) /* the search begins with these */
        return;
    if (lane == 0) {
        __threadfence();
        ready = atomicAdd(&t.counter[COUNTERS + above], 1) + 1;
        __threadfence();
    }
    __syncwarp();
    if (__shfl_sync(all_lanes, ready, 0) < siblings)
        return;

    const unsigned sibling = above * FAN + min(lane, siblings - 1);
    const box all = around({__ldcg(&t.low[1][sibling]), __ldcg(&t.high[1][sibling])}, WARP);

    if (lane == 0) {
        t.low[2][above] = all.low;
        t.high[2][above] = all.high;
    }
}

__device__ static void plant(tree t, growing *g, unsigned node)
{
    const unsigned first = node * NODE < t.copies ? 0 : node * NODE - t.copies;
    const unsigned end = min((node + 1) * NODE, (unsigned)t.ref.count);

    interval_starts(t.ref, g->start, g->sums);
    sort_range(t, g, first, end);
    if (threadIdx.x < NODE) {
        const box b = plant_leaf(t, g, node, first);

        if (threadIdx.x % LEAF == 0) {
            g->low[threadIdx.x / LEAF] = b.low;
            g->high[threadIdx.x / LEAF] = b.high;
        }
    }
    __syncthreads();
    if (threadIdx.x < WARP)
        plant_nodes(t, g, node);
}

/* Shared memory of a block that sorts observations */
struct sorting {
    unsigned start[SAMPLES + 2], sums[WARP];
};

__device__ static void sort_observations(tree t, sorting *s, unsigned block, unsigned blocks)
{
    interval_starts(t.obs, s->start, s->sums);
    for (size_t i = (size_t)block * GROW + threadIdx.x; i < t.obs.count; i += (size_t)blocks * GROW) {
        const uint2 where = t.obs.where[i];

        const unsigned interval = where.x / PARTS, before = held_before(t.obs, interval, where.x % PARTS);

        t.sorted[s->start[interval] + before + where.y] =
            observation_of(t.obs.lat[i], t.obs.lon[i], (unsigned)i);
    }
}

/* Builds the tree, a block for each node above leaves; the other blocks put observations in order. */
__global__ static void __launch_bounds__(GROW) knn_tree_build(tree t)
{
    __shared__ union {
        growing tree;
        sorting order;
    } s;

    if (blockIdx.x < t.boxes[1])
        plant(t, &s.tree, blockIdx.x);
    else
        sort_observations(t, &s.order, blockIdx.x - t.boxes[1], gridDim.x - t.boxes[1]);
}

/* --- host ------------------------------------------------------------------------------------- */

static const char *tree_refuse(size_t m, size_t n)
{
    if (m > INT32_MAX)
        return "counts observations in 31 bits";
    return n > MOST_REFERENCES ? "its tree is for 2^17 references at most" : NULL;
}

static tree tree_new(size_t m, size_t n, size_t k)
{
    tree t = {};
    size_t below = n;

    t.ref = curve_new(n, 1, true);
    t.obs = curve_new(m, PARTS, false);
    t.copies = (unsigned)k;
    for (unsigned level = 0; level < LEVELS; level++) {
        const size_t size = level == 0 ? LEAF : FAN;

        below = (below + size - 1) / size;
        t.boxes[level] = (unsigned)below;

        const size_t whole = (below + FAN - 1) / FAN * FAN;

        CUDA(cudaMalloc(&t.low[level], whole * sizeof *t.low[level]));
        CUDA(cudaMalloc(&t.high[level], whole * sizeof *t.high[level]));
    }
    CUDA(cudaMalloc(&t.point, (size_t)t.boxes[1] * NODE * sizeof *t.point));
    CUDA(cudaMalloc(&t.place, (size_t)t.boxes[1] * NODE * sizeof *t.place));
    CUDA(cudaMalloc(&t.sorted, m * sizeof *t.sorted));
    CUDA(cudaMalloc(&t.counter, (COUNTERS + t.boxes[2]) * sizeof *t.counter));
    return t;
}

static void tree_free(tree t)
{
    curve_free(t.ref);
    curve_free(t.obs);
    for (unsigned level = 0; level < LEVELS; level++) {
        CUDA(cudaFree(t.low[level]));
        CUDA(cudaFree(t.high[level]));
    }
    CUDA(cudaFree(t.point));
    CUDA(cudaFree(t.place));
    CUDA(cudaFree(t.sorted));
    CUDA(cudaFree(t.counter));
}

/* Builds the tree of the references, and puts the observations in order. */
static void tree_build(tree t, cudaStream_t stream)
{
    enum { SORTERS = 128 }; /* blocks at most */
    const unsigned sorters = (unsigned)min((t.obs.count + GROW - 1) / GROW, (size_t)SORTERS);

    curve_bins(t.ref, t.obs, t.counter, COUNTERS + t.boxes[2], stream);
    knn_tree_build<<<t.boxes[1] + sorters, GROW, 0, stream>>>(t);
    CUDA(cudaGetLastError());
}

#endif
