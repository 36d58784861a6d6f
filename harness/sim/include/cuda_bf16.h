/*
 * bfloat16: __nv_bfloat16, __nv_bfloat162, and conversions from float.  It is the upper half of a
 * float32's bits.
 */
#ifndef CUDASIM_BF16_H
#define CUDASIM_BF16_H

#include "cuda_runtime.h"

/* Rounds to nearest, ties to even. */
static inline unsigned short cudasim_bf16_bits(float f)
{
    const unsigned x = __float_as_uint(f);

    if (isnan(f))
        return 0x7fff;
    return (unsigned short)((x + 0x7fffu + (x >> 16 & 1u)) >> 16);
}

/* The first constructor is constexpr; otherwise __shared__ ones would be initialised at run time,
   behind a flag. */
struct __nv_bfloat16 {
    unsigned short __x;

    constexpr __nv_bfloat16() : __x(0) {}
    __nv_bfloat16(float f) : __x(cudasim_bf16_bits(f)) {}
    operator float() const { return __uint_as_float((unsigned)__x << 16); }
};

struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;

    constexpr __nv_bfloat162() {}
    __nv_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) : x(low), y(high) {}
};

static inline __nv_bfloat16 __float2bfloat16(float f) { return f; }
static inline __nv_bfloat16 __float2bfloat16_rn(float f) { return f; }
static inline float __bfloat162float(__nv_bfloat16 b) { return b; }
static inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 b) { return b.__x; }
static inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
    __nv_bfloat16 b;

    b.__x = bits;
    return b;
}
static inline __nv_bfloat162 __floats2bfloat162_rn(float low, float high) { return {low, high}; }
static inline __nv_bfloat162 __float22bfloat162_rn(float2 v) { return {v.x, v.y}; }
static inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
static inline float2 __bfloat1622float2(__nv_bfloat162 v) { return {v.x, v.y}; }
static inline float __low2float(__nv_bfloat162 v) { return v.x; }
static inline float __high2float(__nv_bfloat162 v) { return v.y; }

#endif
