/*
 * For CUDA rungs that rank by a cheap float32 score and yet name the neighbours that float64 names:
 * exact.h, where the idea is explained, for a device.
 *
 * Error    With u = 2^-24: CUDA's sinf and cosf are off by 2 ulp at most (CUDA C++ Programming
 *          Guide, "Mathematical Functions"), which is 4u relatively; a coordinate, a product of two
 *          of them, by 9u.  Two such vectors put the sum of three products off by 18u (sum |x x'|
 *          <= 1, by Cauchy-Schwarz); evaluating it adds 3u, fused or not, in any order: 21u.  We
 *          use E = 32u.
 * Window   If k scores are at least s, the k nearest have scores of at least s - 2E.
 */
#ifndef RUNGS_KNN_CUDA_EXACT_H
#define RUNGS_KNN_CUDA_EXACT_H

#include <stddef.h>
#include <stdint.h>

enum { TILE = 64 };                   /* references in a tile */
enum { MOST = 32 };                   /* neighbours at most: each thread keeps a list of so many */
static const float window = 0x1p-18f; /* 2E */

struct references {
    size_t n;
    const float *lat, *lon;
    const float4 *unit; /* unit vectors, in float4s: one load of 16 bytes; w is not used */
};

__device__ static float4 unit_vector(float lat, float lon)
{
    float cos_lat = cosf(lat);

    return make_float4(cos_lat * cosf(lon), cos_lat * sinf(lon), sinf(lat), 0);
}

__device__ static float dot(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Each operation is rounded for itself, which __dmul_rn and __dadd_rn see to: fused, this would not
   round as float64's formula does elsewhere, and what is equal there would differ here. */
__device__ static double haversine(double lat1, double lon1, double lat2, double lon2)
{
    double sin_lat = sin((lat2 - lat1) / 2);
    double sin_lon = sin((lon2 - lon1) / 2);
    double across = __dmul_rn(__dmul_rn(__dmul_rn(cos(lat1), cos(lat2)), sin_lon), sin_lon);
    double h = __dadd_rn(__dmul_rn(sin_lat, sin_lat), across);

    return 2 * asin(sqrt(fmin(h, 1.0)));
}

/* The k-th largest of the best scores of `tiles` tiles, `stride` apart; if there are fewer tiles
   than k, a score below any. */
__device__ static float kth_largest(const float *best, size_t tiles, size_t stride, size_t k)
{
    float top[MOST], kth = -2;

    if (tiles < k)
        return kth;
    for (size_t r = 0; r < k; r++)
        top[r] = -2;
    for (size_t tile = 0; tile < tiles; tile++) {
        float score = best[tile * stride];

        if (!(score > kth))
            continue;

        size_t place = k - 1;

        for (; place > 0 && score > top[place - 1]; place--)
            top[place] = top[place - 1];
        top[place] = score;
        kth = top[k - 1];
    }
    return kth;
}

/* Answers the observation at (lat, lon), whose unit vector is `at`, from the best score of each
   tile: best[0], best[stride], ...  Only references of tiles that reach into the window are looked
   at again, and only those inside get the haversine formula, in float64. */
__device__ static void answer_by_tiles(struct references ref, size_t k, float lat, float lon,
                                       float4 at, const float *best, size_t stride,
                                       uint32_t *index, float *distance)
{
    const size_t tiles = (ref.n + TILE - 1) / TILE;
    const float least = kth_largest(best, tiles, stride, k) - window;
    double nearest[MOST], farthest = INFINITY;
    uint32_t who[MOST];

    for (size_t r = 0; r < k; r++)
        nearest[r] = INFINITY;
    for (size_t tile = 0;; tile++) {
        /* First every lane of the warp finds its next tile, then all of them go through theirs. */
        while (tile < tiles && best[tile * stride] < least)
            tile++;
        if (tile == tiles)
            break;

        const size_t first = tile * TILE, end = first + TILE < ref.n ? first + TILE : ref.n;

        for (size_t j = first; j < end; j++) {
            if (dot(at, ref.unit[j]) < least)
                continue;

            double d = haversine(lat, lon, ref.lat[j], ref.lon[j]);
            size_t place = k - 1;

            if (!(d < farthest))
                continue;
            for (; place > 0 && d < nearest[place - 1]; place--) {
                nearest[place] = nearest[place - 1];
                who[place] = who[place - 1];
            }
            nearest[place] = d;
            who[place] = (uint32_t)j;
            farthest = nearest[k - 1];
        }
    }
    for (size_t r = 0; r < k; r++) {
        index[r] = who[r];
        distance[r] = (float)nearest[r];
    }
}

#endif
