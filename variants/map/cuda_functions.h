/*
 * map: the functions on the device, for one element and for what 16 bytes hold.
 *
 * Each is a type, so that a kernel written for any of them is compiled for each: element and wide say what it takes, ARGUMENTS
 * how many arrays it reads.  for_function() finds the one that a case asks for.
 */
#ifndef RUNGS_MAP_CUDA_FUNCTIONS_H
#define RUNGS_MAP_CUDA_FUNCTIONS_H

#include "common/cuda.h"
#include "common/map.h"

/* Accurate to 2 units in the last place. */
struct trig_of_cuda {
    typedef float element;
    typedef float4 wide;
    enum { ARGUMENTS = 2 };
    __device__ float operator()(float x, float y) const { return cosf(x) + sinf(y); }
};

struct reldiff {
    typedef float element;
    typedef float4 wide;
    enum { ARGUMENTS = 2 };
    __device__ float operator()(float x, float y) const { return 2.0f * (x - y) / (x + y); }
};

struct suppress {
    typedef int16_t element;
    typedef uint4 wide; /* eight of them */
    enum { ARGUMENTS = 1 };
    int threshold;
    __device__ int16_t operator()(int16_t x, int16_t) const { return abs((int)x) > threshold ? x : (int16_t)0; }

    /* Two elements in the halves of a word.  No step carries from one half into the other:
       |x| is at most 32768, which is 0x8000, and the threshold at most 0x7fff, so the difference below is from 0 to 0xffff. */
    __device__ unsigned pair(unsigned x) const
    {
        const unsigned highest = 0x80008000u, thresholds = (unsigned)threshold * 0x10001u;
        const unsigned negative = (x & highest) >> 15;                  /* 1 in each negative half */
        const unsigned size = (x ^ negative * 0xffffu) + negative;      /* |x| */
        const unsigned above = ~((thresholds | highest) - size) & highest; /* the highest bit, where |x| > threshold */

        return x & (above >> 15) * 0xffffu;
    }
};

/* What 16 bytes hold. */
template <class F> __device__ static inline float4 apply(F f, float4 x, float4 y)
{
    return make_float4(f(x.x, y.x), f(x.y, y.y), f(x.z, y.z), f(x.w, y.w));
}

__device__ static inline uint4 apply(suppress f, uint4 x, uint4)
{
    return make_uint4(f.pair(x.x), f.pair(x.y), f.pair(x.z), f.pair(x.w));
}

/* An element of y, where the function has one. */
template <class F, class T> __device__ static inline T second(F, const T *y, size_t i)
{
    return F::ARGUMENTS == 2 ? y[i] : T();
}

/* Calls launch(function) with the function of the case. */
template <class Trig, class Launch> static void for_function(const struct map *p, Trig trig_to_use, Launch launch)
{
    if (p->f == MAP_TRIG)
        launch(trig_to_use);
    else if (p->f == MAP_RELDIFF)
        launch(reldiff());
    else
        launch(suppress{p->threshold});
}

/* The arrays of a case, whichever its function has. */
struct arrays {
    const void *x, *y; /* y: NULL for one argument */
    void *z;
    size_t element; /* bytes */
};

static inline struct arrays arrays_of(const struct map *p)
{
    if (p->f == MAP_SUPPRESS)
        return {p->x16, NULL, p->z16, sizeof *p->z16};
    return {p->x, p->y, p->z, sizeof *p->z};
}

#endif
