/*
 * Half precision: __half (half), __half2 (half2), and their common functions.
 *
 * Values are kept as bits, because g++ has no such type before version 13.  Sums, products, quotients and
 * roots are computed in float32 and rounded again, which gives the same result as one rounding for these
 * four.
 */
#ifndef CUDASIM_FP16_H
#define CUDASIM_FP16_H

#include "cuda_runtime.h"

/* --- bits ------------------------------------------------------------------------------------- */

/* Rounds to nearest, ties to even. */
static inline unsigned short cudasim_half_bits(float f)
{
    unsigned x = __float_as_uint(f), sign = x >> 16 & 0x8000u, m = x & 0x7fffffffu;

    if (m > 0x7f800000u)
        return 0x7fff; /* NaN */
    if (m >= 0x477ff000u)
        return (unsigned short)(sign | 0x7c00u); /* 65520 and more: infinite */
    if (m < 0x38800000u) /* subnormal: near 0.5, floats have the same spacing as those */
        return (unsigned short)(sign | (__float_as_uint(fabsf(f) + 0.5f) - 0x3f000000u));
    return (unsigned short)(sign | (m - 0x38000000u + 0xfffu + (m >> 13 & 1u)) >> 13);
}

static inline float cudasim_half_value(unsigned short bits)
{
    unsigned sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31u, m = bits & 0x3ffu;

    if (exponent == 31)
        return __uint_as_float(sign | 0x7f800000u | m << 13);
    if (exponent == 0)
        return __uint_as_float(sign | __float_as_uint(0x1p-24f * (float)m));
    return __uint_as_float(sign | (exponent + 112u) << 23 | m << 13);
}

/* Rounds to odd, so that the next rounding is correct. */
static inline float cudasim_towards_half(double d)
{
    float f = (float)d;
    unsigned bits = __float_as_uint(f);

    if ((double)f == d || isnan(d) || isinf(f) || (bits & 1u) != 0)
        return f;
    return __uint_as_float(fabs((double)f) > fabs(d) ? bits - 1 : bits + 1);
}

/* --- types ------------------------------------------------------------------------------------ */

/* The first constructor is constexpr; otherwise __shared__ ones would be initialised at run time,
   behind a flag. */
struct __half {
    unsigned short __x;

    constexpr __half() : __x(0) {}
    __half(float f) : __x(cudasim_half_bits(f)) {}
    __half(double d) : __x(cudasim_half_bits(cudasim_towards_half(d))) {}
    __half(int i) : __half((double)i) {}
    __half(unsigned i) : __half((double)i) {}
    __half(long long i) : __half((double)i) {}
    __half(unsigned long long i) : __half((double)i) {}
    operator float() const { return cudasim_half_value(__x); }
};

struct __attribute__((aligned(4))) __half2 {
    __half x, y;

    constexpr __half2() {}
    __half2(__half low, __half high) : x(low), y(high) {}
};

typedef __half half;
typedef __half2 half2;

static inline __half2 make_half2(__half x, __half y) { return {x, y}; }

/* --- conversions ------------------------------------------------------------------------------ */

static inline __half __float2half(float f) { return f; }
static inline __half __float2half_rn(float f) { return f; }
static inline float __half2float(__half h) { return h; }
static inline __half __double2half(double d) { return d; }
static inline __half __int2half_rn(int i) { return i; }
static inline __half __uint2half_rn(unsigned i) { return i; }
static inline int __half2int_rn(__half h) { return __float2int_rn(h); }
static inline int __half2int_rz(__half h) { return __float2int_rz(h); }
static inline unsigned short __half_as_ushort(__half h) { return h.__x; }
static inline short __half_as_short(__half h) { return (short)h.__x; }
static inline __half __ushort_as_half(unsigned short bits)
{
    __half h;

    h.__x = bits;
    return h;
}
static inline __half __short_as_half(short bits) { return __ushort_as_half((unsigned short)bits); }

static inline __half2 __half2half2(__half h) { return {h, h}; }
static inline __half2 __halves2half2(__half low, __half high) { return {low, high}; }
static inline __half2 __float2half2_rn(float f) { return {f, f}; }
static inline __half2 __floats2half2_rn(float low, float high) { return {low, high}; }
static inline __half2 __float22half2_rn(float2 v) { return {v.x, v.y}; }
static inline float2 __half22float2(__half2 v) { return {v.x, v.y}; }
static inline __half __low2half(__half2 v) { return v.x; }
static inline __half __high2half(__half2 v) { return v.y; }
static inline float __low2float(__half2 v) { return v.x; }
static inline float __high2float(__half2 v) { return v.y; }
static inline __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
static inline __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
static inline __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }

/* --- arithmetic and comparison, of one and of two --------------------------------------------- */

#define CUDASIM_HALF(name, expression)                                                             \
    static inline __half __h##name(__half p, __half q)                                             \
    {                                                                                              \
        const float a = p, b = q;                                                                  \
        return expression;                                                                         \
    }
#define CUDASIM_HALVES(name, of_two, symbol, expression)                                           \
    CUDASIM_HALF(name, expression)                                                                 \
    static inline __half2 of_two(__half2 p, __half2 q)                                             \
    {                                                                                              \
        return {__h##name(p.x, q.x), __h##name(p.y, q.y)};                                         \
    }                                                                                              \
    static inline __half operator symbol(__half p, __half q) { return __h##name(p, q); }           \
    static inline __half2 operator symbol(__half2 p, __half2 q) { return of_two(p, q); }           \
    static inline __half &operator symbol##=(__half &p, __half q) { return p = __h##name(p, q); }  \
    static inline __half2 &operator symbol##=(__half2 &p, __half2 q) { return p = of_two(p, q); }
CUDASIM_HALVES(add, __hadd2, +, a + b)
CUDASIM_HALVES(sub, __hsub2, -, a - b)
CUDASIM_HALVES(mul, __hmul2, *, a * b)
CUDASIM_HALVES(div, __h2div, /, a / b)
CUDASIM_HALF(min, fminf(a, b))
CUDASIM_HALF(max, fmaxf(a, b))
#undef CUDASIM_HALF
#undef CUDASIM_HALVES

static inline __half2 __hmin2(__half2 p, __half2 q) { return {__hmin(p.x, q.x), __hmin(p.y, q.y)}; }
static inline __half2 __hmax2(__half2 p, __half2 q) { return {__hmax(p.x, q.x), __hmax(p.y, q.y)}; }
static inline __half __hneg(__half h) { return __ushort_as_half(h.__x ^ 0x8000); }
static inline __half __habs(__half h) { return __ushort_as_half(h.__x & 0x7fff); }
static inline __half operator-(__half h) { return __hneg(h); }
static inline __half2 __hneg2(__half2 v) { return {__hneg(v.x), __hneg(v.y)}; }
static inline __half2 __habs2(__half2 v) { return {__habs(v.x), __habs(v.y)}; }
static inline __half2 operator-(__half2 v) { return __hneg2(v); }

/* a * b + c, rounded once: float64 is exact except for the last step. */
static inline __half __hfma(__half a, __half b, __half c)
{
    return __half(fma((double)(float)a, (double)(float)b, (double)(float)c));
}
static inline __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

#define CUDASIM_COMPARISON(name, symbol)                                                           \
    static inline bool name(__half a, __half b) { return (float)a symbol (float)b; }               \
    static inline bool operator symbol(__half a, __half b) { return name(a, b); }
CUDASIM_COMPARISON(__heq, ==)
CUDASIM_COMPARISON(__hne, !=)
CUDASIM_COMPARISON(__hlt, <)
CUDASIM_COMPARISON(__hle, <=)
CUDASIM_COMPARISON(__hgt, >)
CUDASIM_COMPARISON(__hge, >=)
#undef CUDASIM_COMPARISON
static inline bool __hisnan(__half h) { return isnan((float)h); }
static inline int __hisinf(__half h) { return h.__x == 0x7c00 ? 1 : h.__x == 0xfc00 ? -1 : 0; }

static inline __half hsqrt(__half h) { return sqrtf(h); }
static inline __half hrcp(__half h) { return 1.0f / (float)h; }
static inline __half hexp(__half h) { return expf(h); }
static inline __half hlog(__half h) { return logf(h); }
static inline __half hsin(__half h) { return sinf(h); }
static inline __half hcos(__half h) { return cosf(h); }

#endif
