/*
 * For CUDA variants whose scores are relative to the centre of a tile: puts the references in order along a curve that
 * visits neighbours one after another, so that the references of a tile lie close together, whatever their order in
 * the file.
 *
 *     key      the place on the cube around the sphere: face, and along Hilbert's curve on it, 29 bits each way
 *              (D. Hilbert, "Ueber die stetige Abbildung einer Linie auf ein Flaechenstueck", 1891).  Steps of 4e-9
 *     runs     a block sorts RUN keys in shared memory (K. Batcher, "Sorting networks and their applications", 1968)
 *     merge    the rank of a key among WAYS runs is the sum of its ranks in each, by WAYS binary searches side by
 *              side, in a piece of each run that a warp has found before.  2^14 references take one merge, 2^18 two
 *
 * The order is stable: of equal keys the lower index comes first.  So copies of a place follow each other, and the one
 * with the lowest index comes first.
 */
#ifndef RUNGS_KNN_CUDA_ORDER_H
#define RUNGS_KNN_CUDA_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "common/cuda.h"
#include "cuda_exact.h" /* WARP, all_lanes */

enum { RUN = 1024, WAYS = 16, MERGE = 128 }; /* MERGE: threads of a block that merges */
enum { CURVE = 29 };                         /* bits of a coordinate on a face */

struct order { /* on the device, [references] each */
    uint64_t *key, *other_key;
    uint32_t *who, *other_who; /* the references in order, by index */
};

[[maybe_unused]] static order order_new(size_t references)
{
    order o = {};

    CUDA(cudaMalloc(&o.key, references * sizeof *o.key));
    CUDA(cudaMalloc(&o.other_key, references * sizeof *o.key));
    CUDA(cudaMalloc(&o.who, references * sizeof *o.who));
    CUDA(cudaMalloc(&o.other_who, references * sizeof *o.who));
    return o;
}

[[maybe_unused]] static void order_free(order o)
{
    CUDA(cudaFree(o.key));
    CUDA(cudaFree(o.other_key));
    CUDA(cudaFree(o.who));
    CUDA(cudaFree(o.other_who));
}

struct vector {
    double x, y, z;
};

struct only_if { /* kernels that may have nothing to do read on the device whether they have */
    const unsigned *count;
    unsigned above;
};

static const only_if always = {NULL, 0};

__device__ static bool is_off(only_if when)
{
    return when.count != NULL && *when.count <= when.above;
}

__device__ static vector unit_f64(float lat, float lon)
{
    double sin_lat, cos_lat, sin_lon, cos_lon;

    sincos((double)lat, &sin_lat, &cos_lat);
    sincos((double)lon, &sin_lon, &cos_lon);
    return {cos_lat * cos_lon, cos_lat * sin_lon, sin_lat};
}

/* The whole-numbered coordinate of t, -1 to 1 */
__device__ static unsigned on_face(double t)
{
    return min((unsigned)((t + 1) * (1 << (CURVE - 1))), (1u << CURVE) - 1);
}

__device__ static uint64_t key_of(vector at)
{
    const double x = fabs(at.x), y = fabs(at.y), z = fabs(at.z);
    const unsigned axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    const double up = axis == 0 ? at.x : axis == 1 ? at.y : at.z;
    unsigned a = on_face((axis == 0 ? at.y : at.x) / fabs(up));
    unsigned b = on_face((axis == 2 ? at.y : at.z) / fabs(up));
    uint64_t key = axis * 2 + (up < 0);

    for (int bit = CURVE - 1; bit >= 0; bit--) {
        const unsigned right = a >> bit & 1, above = b >> bit & 1, flip = right && !above ? ~0u : 0;
        const unsigned c = a ^ flip;

        key = key << 2 | ((3 * right) ^ above);
        a = above ? c : b ^ flip;
        b = above ? b : c;
    }
    return key;
}

/* Sorts each run of RUN references.  Each of RUN / 2 threads compares two keys at a time.  Of strides up to a warp's
   the pairs of a warp are its own, and it waits for no other. */
__global__ static void __launch_bounds__(RUN / 2)
    knn_order_runs(only_if when, size_t n, const float *lat, const float *lon, uint64_t *to, uint32_t *who)
{
    __shared__ uint64_t key[RUN];
    __shared__ uint16_t place[RUN];
    const size_t first = (size_t)blockIdx.x * RUN;

    if (is_off(when))
        return;
    for (unsigned r = threadIdx.x; r < RUN; r += RUN / 2) {
        key[r] = first + r < n ? key_of(unit_f64(lat[first + r], lon[first + r])) : ~(uint64_t)0;
        place[r] = (uint16_t)r;
    }
    for (unsigned size = 2; size <= RUN; size *= 2)
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            const unsigned i = 2 * threadIdx.x - (threadIdx.x & (stride - 1)), j = i + stride;

            if (stride >= 32 || stride == size / 2)
                __syncthreads();
            else
                __syncwarp();

            const uint64_t a = key[i], b = key[j];
            const uint16_t p = place[i], q = place[j];
            const bool later = a > b || (a == b && p > q);

            if (later == ((i & size) == 0)) {
                key[i] = b;
                key[j] = a;
                place[i] = q;
                place[j] = p;
            }
        }
    __syncthreads();
    for (unsigned r = threadIdx.x; r < RUN && first + r < n; r += RUN / 2) {
        to[first + r] = key[r];
        who[first + r] = (uint32_t)(first + place[r]);
    }
}

/* How many of the keys from..to - 1 of a run come before `key`?  from: so many do at least */
__device__ static unsigned keys_before(const uint64_t *run, unsigned from, unsigned to, uint64_t key, bool equal_too)
{
    while (from < to) {
        const unsigned middle = (from + to) / 2;
        const bool before = equal_too ? run[middle] <= key : run[middle] < key;

        from = before ? middle + 1 : from;
        to = before ? to : middle;
    }
    return from;
}

/* Merges each WAYS runs of `length` into one.  A warp has 32 keys that follow each other in one run.  First a lane finds where
   the least or the greatest of them would stand in one of the runs, and so all lanes search in short pieces. */
__global__ static void __launch_bounds__(MERGE)
    knn_order_merge(only_if when, size_t n, size_t length, const uint64_t *from, const uint32_t *from_who,
                    uint64_t *to, uint32_t *who)
{
    static_assert(2 * WAYS == WARP, "a lane for each end of a piece");
    const size_t i = (size_t)blockIdx.x * MERGE + threadIdx.x;
    const unsigned lane = threadIdx.x % WARP;
    const size_t first = i / (length * WAYS) * (length * WAYS); /* of the runs that are merged */
    unsigned below[WAYS], end[WAYS], widest = 0;
    size_t rank = first;

    if (i - lane >= n || is_off(when))
        return;

    const uint64_t mine = from[min(i, n - 1)];
    const uint64_t outer = __shfl_sync(all_lanes, mine, lane < WAYS ? 0 : WARP - 1);
    const size_t start = min(first + lane % WAYS * length, n);
    const unsigned place =
        keys_before(from + start, 0, (unsigned)min(length, n - start), outer, start <= i);

#pragma unroll
    for (unsigned w = 0; w < WAYS; w++) {
        below[w] = __shfl_sync(all_lanes, place, (int)w);
        end[w] = __shfl_sync(all_lanes, place, (int)(w + WAYS));
        widest = max(widest, end[w] - below[w]);
    }
    for (unsigned step = widest == 0 ? 0 : 1u << (31 - __clz((int)widest)); step > 0; step /= 2)
#pragma unroll
        for (unsigned w = 0; w < WAYS; w++) {
            const size_t run = first + w * length, at = run + below[w] + step - 1;
            const bool before = run <= i; /* an equal key of an earlier run comes first */

            if (below[w] + step <= end[w] && (before ? from[at] <= mine : from[at] < mine))
                below[w] += step;
        }
    if (i >= n)
        return;
#pragma unroll
    for (unsigned w = 0; w < WAYS; w++) /* in its own run, those up to i, of which some may be equal */
        rank += first + w * length == i / length * length ? i % length : below[w];
    to[rank] = mine;
    who[rank] = from_who[i];
}

/* Fills o->who and o->key. */
[[maybe_unused]] static void put_in_order(order *o, size_t n, const float *lat, const float *lon, cudaStream_t stream,
                                          only_if when = always)
{
    knn_order_runs<<<(unsigned)((n + RUN - 1) / RUN), RUN / 2, 0, stream>>>(when, n, lat, lon, o->key, o->who);
    CUDA(cudaGetLastError());
    for (size_t length = RUN; length < n; length *= WAYS) {
        knn_order_merge<<<(unsigned)((n + MERGE - 1) / MERGE), MERGE, 0, stream>>>(
            when, n, length, o->key, o->who, o->other_key, o->other_who);
        CUDA(cudaGetLastError());
        *o = {o->other_key, o->key, o->other_who, o->who};
    }
}

#endif
