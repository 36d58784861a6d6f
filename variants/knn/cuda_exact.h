/*
 * What all CUDA variants share that rank by a cheap float32 score and then name exactly the neighbours
 * that float64 names.  exact.h explains the idea, for a CPU.
 *
 * Error    The dot product of two of these unit vectors is within E = 32u of the cosine (u = 2^-24).  If k
 *          scores are at least s, the k nearest have scores of at least s - 2E.  Derivation:
 *          docs/knn-exactness.md, "GPU: float32 dot products".
 */
#ifndef RUNGS_KNN_CUDA_EXACT_H
#define RUNGS_KNN_CUDA_EXACT_H

#include <stddef.h>
#include <stdint.h>

enum { WARP = 32 };
static const float window = 0x1p-18f; /* 2E */
static const unsigned all_lanes = 0xffffffff;

__device__ static float4 unit_vector(float lat, float lon)
{
    float cos_lat = cosf(lat);

    return make_float4(cos_lat * cosf(lon), cos_lat * sinf(lon), sinf(lat), 0);
}

[[maybe_unused]] __device__ static int warp_min(int x)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(all_lanes, x);
#else
    for (unsigned step = WARP / 2; step > 0; step /= 2)
        x = min(x, __shfl_xor_sync(all_lanes, x, step));
    return x;
#endif
}

/* __dmul_rn and __dadd_rn round each operation by itself.  Fused multiply-adds would round otherwise
   than float64's formula does elsewhere, and distances that are equal there would differ here. */
__device__ static double haversine(double lat1, double lon1, double cos1, double lat2, double lon2,
                                   double cos2)
{
    double sin_lat = sin((lat2 - lat1) / 2);
    double sin_lon = sin((lon2 - lon1) / 2);
    double across = __dmul_rn(__dmul_rn(__dmul_rn(cos1, cos2), sin_lon), sin_lon);
    double h = __dadd_rn(__dmul_rn(sin_lat, sin_lat), across);

    return 2 * asin(sqrt(fmin(h, 1.0)));
}

__device__ static double haversine(double lat1, double lon1, double lat2, double lon2)
{
    return haversine(lat1, lon1, cos(lat1), lat2, lon2, cos(lat2));
}

struct nearest_f64 { /* the nearest reference that this lane has compared, by float64 */
    double far;
    unsigned who;
};

/* Replaces c if (far, who) is nearer; of equal distances the lower index wins. */
[[maybe_unused]] __device__ static void keep_nearer(nearest_f64 *c, double far, unsigned who)
{
    if (far < c->far || (far == c->far && who < c->who)) {
        c->far = far;
        c->who = who;
    }
}

/* The nearest of `lanes` neighbouring lanes, a power of two; all of them get it. */
[[maybe_unused]] __device__ static void nearest_of_lanes(nearest_f64 *c, unsigned lanes)
{
    const unsigned first = threadIdx.x % WARP / lanes * lanes;
    const unsigned all = all_lanes >> (WARP - lanes) << first;

    for (unsigned step = lanes / 2; step > 0; step /= 2) {
        const double far = __shfl_xor_sync(all, c->far, step);

        keep_nearer(c, far, __shfl_xor_sync(all, c->who, step));
    }
}

#endif
