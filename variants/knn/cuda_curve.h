/*
 * For CUDA variants that work on points in the order of a space-filling curve, in which neighbours mostly are
 * near each other, wherever the points crowd.
 *
 *     the face of a cube        four quarters of it,      ... and each quarter likewise, 24 times.
 *     around the sphere         along Hilbert's curve     The number of the last quarter, behind that of the
 *     +-------+-------+         +---+---+                 face, is the key of a point.
 *     |       |       |         | 1 | 2 |
 *     +-------+-------+         +---+---+                 Key: 3 bits of the face, 24 times 2 bits
 *     |       |       |         | 0 | 3 |
 *     +-------+-------+         +---+---+
 *
 * Sorting  Points are distributed to bins by the sorted keys of a sample of them (W. D. Frazer, A. C. McKellar,
 *          "Samplesort", Journal of the ACM 17(3), 1970), so that bins follow the density:
 *              knn_curve_sample   ranks the keys of the sample, by comparing each with each
 *              knn_curve_bins     finds the bin of each point, and its place in the bin
 *          Between two keys of the sample is an interval, of `parts` bins: equal shares of the curve.
 * Ties     Points with equal keys are ordered by index, so points that are all at one place spread over bins, too.  The
 *          number of a sample, in the lowest bits of its key, rises with its index.
 * Error    None matters: the order decides the time and never the answer.
 * Source   D. Hilbert, "Ueber die stetige Abbildung einer Linie auf ein Flaechenstueck", Mathematische Annalen 38,
 *          1891
 */
#ifndef RUNGS_KNN_CUDA_CURVE_H
#define RUNGS_KNN_CUDA_CURVE_H

#include "common/cuda.h"
#include "cuda_exact.h" /* WARP, all_lanes */

enum {
    BITS = 4, STEPS = 6,      /* of a coordinate on a face: 6 times 4 bits */
    TURNED = 4,               /* ways that the curve runs through a square */
    SAMPLES = 1023,           /* at most; one less than a power of two */
    NUMBER = 10,              /* bits of the number of a sample */
    PER_SAMPLE = 16,          /* points for each sample, at least */
    RANK = 1024,              /* threads of a block of knn_curve_sample: each has a key, each warp ranks one */
    BIN = 512, EACH = 2       /* threads of a block of knn_curve_bins; points of a thread, whose waits overlap */
};

struct curve { /* a set of points */
    size_t count;
    const float *lat, *lon;
    unsigned samples, parts;
    unsigned long long *sample; /* [samples] sorted: key, then the number of the sample */
    unsigned *held;             /* [intervals][parts] how many points each bin has */
    uint2 *where;               /* [count] bin, place in the bin */
    unsigned long long *key;    /* [count], or NULL: not needed later */
};

__host__ __device__ static unsigned intervals_of(curve of)
{
    return of.samples + 1;
}

__host__ __device__ static unsigned bins_of(curve of)
{
    return intervals_of(of) * of.parts;
}

/* Allocates for `count` points.  parts: bins of an interval, 1 or a multiple of 4 */
static curve curve_new(size_t count, unsigned parts, bool keys)
{
    curve of = {};

    of.count = count;
    of.parts = parts;
    of.samples = (unsigned)min(count / PER_SAMPLE, (size_t)SAMPLES);
    CUDA(cudaMalloc(&of.sample, of.samples * sizeof *of.sample));
    CUDA(cudaMalloc(&of.held, bins_of(of) * sizeof *of.held));
    CUDA(cudaMalloc(&of.where, count * sizeof *of.where));
    if (keys)
        CUDA(cudaMalloc(&of.key, count * sizeof *of.key));
    return of;
}

static void curve_free(curve of)
{
    CUDA(cudaFree(of.sample));
    CUDA(cudaFree(of.held));
    CUDA(cudaFree(of.where));
    CUDA(cudaFree(of.key));
}

/* The curve's way through a square of 16 x 16: for each way to begin, row and column, the number of the small
   square (8 bits) and above it the way that the curve takes through that. */
struct square {
    uint16_t step[TURNED << 2 * BITS];
};

/* A block fills the table.  A way is whether rows and columns are swapped, and whether both are reversed. */
__device__ static void fill_square(square *s)
{
    for (unsigned e = threadIdx.x; e < TURNED << 2 * BITS; e += blockDim.x) {
        unsigned way = e >> 2 * BITS, number = 0;

        for (int bit = BITS - 1; bit >= 0; bit--) {
            const unsigned row = e >> (BITS + bit) & 1, column = e >> bit & 1;
            const unsigned x = (way & 1 ? column : row) ^ way >> 1, y = (way & 1 ? row : column) ^ way >> 1;

            number = number << 2 | ((3 * x) ^ y);
            way ^= y == 0 ? 1 | x << 1 : 0;
        }
        s->step[e] = (uint16_t)(way << 2 * BITS | number);
    }
}

/* The coordinate of a face, from -1 to 1, as an integer */
__device__ static unsigned whole(float x)
{
    const int half = 1 << (BITS * STEPS - 1);

    return (unsigned)min(max((int)(x * half) + half, 0), 2 * half - 1);
}

/* Sine and cosine, without a branch.  Off by some 2^-22: keys need no more. */
__device__ static void quick_sine_cosine(float angle, float *sine, float *cosine)
{
    const float turns = rintf(angle * 0.63661977f);
    const float x = fmaf(turns, 4.371139e-8f, fmaf(turns, -1.5707964f, angle)), z = x * x;
    const float s = fmaf(x * z, fmaf(z, fmaf(z, -1.f / 5040, 1.f / 120), -1.f / 6), x);
    const float c = fmaf(z, fmaf(z, fmaf(z, fmaf(z, 1.f / 40320, -1.f / 720), 1.f / 24), -.5f), 1.f);
    const int quarter = (int)turns;
    const float a = quarter & 1 ? c : s, b = quarter & 1 ? s : c;

    *sine = quarter & 2 ? -a : a;
    *cosine = (quarter + 1) & 2 ? -b : b;
}

__device__ static unsigned long long key_of(const square *s, float lat, float lon)
{
    float sin_lat, cos_lat, sin_lon, cos_lon;

    quick_sine_cosine(lat, &sin_lat, &cos_lat);
    quick_sine_cosine(lon, &sin_lon, &cos_lon);

    const float4 at = make_float4(cos_lat * cos_lon, cos_lat * sin_lon, sin_lat, 0);
    const float x = fabsf(at.x), y = fabsf(at.y), z = fabsf(at.z);
    const unsigned axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    const float first = axis == 2 ? at.z : axis == 1 ? at.y : at.x;
    const float inverse = __fdividef(1, first);
    const unsigned row = whole((axis == 0 ? at.y : at.x) * inverse);
    const unsigned column = whole((axis == 2 ? at.y : at.z) * inverse);
    unsigned key[2] = {0, axis * 2 + (first < 0)}; /* the lower 24 bits, and the others */
    unsigned way = 0;

#pragma unroll
    for (int step = STEPS - 1; step >= 0; step--) {
        const unsigned mask = (1 << BITS) - 1;
        const unsigned next = s->step[way << 2 * BITS | (row >> step * BITS & mask) << BITS |
                                      (column >> step * BITS & mask)];

        key[step / 3] = key[step / 3] << 2 * BITS | (next & ((1 << 2 * BITS) - 1));
        way = next >> 2 * BITS;
    }
    return (unsigned long long)key[1] << 24 | key[0];
}

/* The index of sample number t: one of every stride, at no fixed place, because files may have periods. */
__device__ static unsigned index_of_sample(curve of, unsigned t)
{
    const unsigned stride = (unsigned)of.count / of.samples;

    return t * stride + (t * 0x9e3779b9u >> 7) % stride;
}

__device__ static void rank_samples(curve of, unsigned block)
{
    __shared__ square table;
    __shared__ unsigned long long keys[SAMPLES];
    const unsigned t = block * (RANK / WARP) + threadIdx.x / WARP;
    unsigned before = 0;

    const unsigned s = threadIdx.x, i = s < of.samples ? index_of_sample(of, s) : 0;
    const float lat = s < of.samples ? of.lat[i] : 0, lon = s < of.samples ? of.lon[i] : 0;

    fill_square(&table);
    __syncthreads();
    if (s < of.samples)
        keys[s] = key_of(&table, lat, lon) << NUMBER | s;
    __syncthreads();
    if (t >= of.samples)
        return;
#pragma unroll 8
    for (unsigned other = threadIdx.x % WARP; other < of.samples; other += WARP)
        before += keys[other] < keys[t];
    for (unsigned step = WARP / 2; step > 0; step /= 2)
        before += __shfl_xor_sync(all_lanes, before, step);
    if (threadIdx.x % WARP == 0)
        of.sample[before] = keys[t];
}

static unsigned rankers_of(curve of)
{
    return (of.samples + RANK / WARP - 1) / (RANK / WARP);
}

/* Sorts the samples of two sets, and empties their bins. */
__global__ static void __launch_bounds__(RANK) knn_curve_sample(curve a, curve b, unsigned of_a, unsigned *zero,
                                                                unsigned zeros)
{
    const unsigned thread = blockIdx.x * RANK + threadIdx.x, threads = gridDim.x * RANK;

    for (unsigned e = thread; e < bins_of(a); e += threads)
        a.held[e] = 0;
    for (unsigned e = thread; e < bins_of(b); e += threads)
        b.held[e] = 0;
    for (unsigned e = thread; e < zeros; e += threads)
        zero[e] = 0;
    if (blockIdx.x < of_a)
        rank_samples(a, blockIdx.x);
    else
        rank_samples(b, blockIdx.x - of_a);
}

/* How many samples come before a point with this key, and the number that a sample of its index would have?  sample[] is
   filled up to SAMPLES + 1, a power of two. */
__device__ static unsigned samples_before(const unsigned long long *sample, unsigned long long key)
{
    unsigned low = 0;

#pragma unroll
    for (unsigned half = (SAMPLES + 1) / 2; half > 0; half /= 2)
        low += sample[low + half - 1] < key ? half : 0;
    return low + (sample[low] < key);
}

/* Which bin has a point with this key and index?  Parts of an interval are equal shares of its keys. */
__device__ static unsigned bin_of(curve of, const unsigned long long *sample, unsigned long long key, unsigned i)
{
    const unsigned number = of.samples == 0 ? 0 : min(i / ((unsigned)of.count / of.samples), of.samples - 1);
    const unsigned before = samples_before(sample, key << NUMBER | number);
    const unsigned long long from = before > 0 ? sample[before - 1] >> NUMBER : 0;
    const unsigned long long to = before < of.samples ? sample[before] >> NUMBER : 6ull << 2 * BITS * STEPS;
    const float share = __fdividef((float)(key - from) * of.parts, (float)(to - from + 1));

    return before * of.parts + min((unsigned)share, of.parts - 1);
}

__device__ static void bin_points(curve of, unsigned block)
{
    __shared__ square table;
    __shared__ unsigned long long sample[SAMPLES + 1];
    const unsigned first = block * BIN * EACH + threadIdx.x, count = (unsigned)of.count;
    float lat[EACH], lon[EACH];
    unsigned long long key[EACH];

#pragma unroll
    for (unsigned e = 0; e < EACH; e++) {
        const unsigned i = min(first + e * BIN, count - 1);

        lat[e] = of.lat[i];
        lon[e] = of.lon[i];
    }
    for (unsigned s = threadIdx.x; s <= SAMPLES; s += BIN)
        sample[s] = s < of.samples ? of.sample[s] : ~0ull;
    fill_square(&table);
    __syncthreads();
#pragma unroll
    for (unsigned e = 0; e < EACH; e++)
        key[e] = key_of(&table, lat[e], lon[e]);

    unsigned bin[EACH], place[EACH];

#pragma unroll
    for (unsigned e = 0; e < EACH; e++)
        bin[e] = bin_of(of, sample, key[e], min(first + e * BIN, count - 1));
#pragma unroll
    for (unsigned e = 0; e < EACH; e++)
        place[e] = first + e * BIN < count ? atomicAdd(&of.held[bin[e]], 1) : 0;
#pragma unroll
    for (unsigned e = 0; e < EACH; e++) {
        const unsigned i = first + e * BIN;

        if (i >= count)
            continue;
        of.where[i] = make_uint2(bin[e], place[e]);
        if (of.key != NULL)
            of.key[i] = key[e];
    }
}

static unsigned binners_of(curve of)
{
    return (unsigned)((of.count + BIN * EACH - 1) / (BIN * EACH));
}

__global__ static void __launch_bounds__(BIN) knn_curve_bins(curve a, curve b, unsigned of_a)
{
    if (blockIdx.x < of_a)
        bin_points(a, blockIdx.x);
    else
        bin_points(b, blockIdx.x - of_a);
}

/* Gives the points of two sets their bins.  zero: [zeros] numbers to set to 0 besides */
static void curve_bins(curve a, curve b, unsigned *zero, unsigned zeros, cudaStream_t stream)
{
    knn_curve_sample<<<rankers_of(a) + rankers_of(b) + 1, RANK, 0, stream>>>(a, b, rankers_of(a), zero, zeros);
    CUDA(cudaGetLastError());
    knn_curve_bins<<<binners_of(a) + binners_of(b), BIN, 0, stream>>>(a, b, binners_of(a));
    CUDA(cudaGetLastError());
}

/* How many points are in the first `parts` bins of an interval? */
__device__ static unsigned held_before(curve of, unsigned interval, unsigned parts)
{
    const unsigned *const held = of.held + (size_t)interval * of.parts;
    unsigned sum = 0;

    if (of.parts == 1)
        return parts == 0 ? 0 : held[0];
    for (unsigned p = 0; p < parts; p += 4) {
        const uint4 four = *(const uint4 *)(held + p);

        sum += four.x + (p + 1 < parts ? four.y : 0) + (p + 2 < parts ? four.z : 0) + (p + 3 < parts ? four.w : 0);
    }
    return sum;
}

/* Writes to start[] where the points of each interval begin, [intervals + 1] in shared memory.  sums: [WARP] in shared
   memory.  A block of more than SAMPLES threads calls this. */
__device__ static void interval_starts(curve of, unsigned *start, unsigned *sums)
{
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, intervals = intervals_of(of);
    const unsigned mine = threadIdx.x < intervals ? held_before(of, threadIdx.x, of.parts) : 0;
    unsigned up_to = mine;

    for (unsigned step = 1; step < WARP; step *= 2) {
        const unsigned other = __shfl_up_sync(all_lanes, up_to, step);

        up_to += lane >= step ? other : 0;
    }
    if (lane == WARP - 1)
        sums[warp] = up_to;
    __syncthreads();

    unsigned before = lane < warp ? sums[lane] : 0;

    for (unsigned step = WARP / 2; step > 0; step /= 2)
        before += __shfl_xor_sync(all_lanes, before, step);
    if (threadIdx.x < intervals)
        start[threadIdx.x] = before + up_to - mine;
    if (threadIdx.x == 0)
        start[intervals] = (unsigned)of.count;
    __syncthreads();
}

#endif
