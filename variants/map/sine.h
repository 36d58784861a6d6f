/*
 * map: sine and cosine of one float32, for every finite argument to 1.6 units in the last place (tests/unit/map_sine.h).
 * avx2.h and cpu_avx512.c have the same steps with several numbers side by side, and the same bits.
 *
 * 1. Reduce: x = quarters * pi/2 + r, |r| <= pi/4 and a little.
 *    Near 0 pi/2 is subtracted in three parts (W. J. Cody, W. Waite, "Software Manual for the Elementary Functions", 1980).  A
 *    fused multiply-add makes the first subtraction exact, since it cancels all leading bits.
 *    Farther out windows of 2/pi are used (payne_hanek.h).
 * 2. Polynomials in r^2 for sin r and cos r, of least relative error (2^-27.8 and 2^-32.8, by E. Ya. Remez's method, 1934).
 * 3. quarters says which of the two it is, and its sign.
 */
#ifndef RUNGS_MAP_SINE_H
#define RUNGS_MAP_SINE_H

#include "payne_hanek.h"

#ifdef __CUDACC__
#define SINE __device__ static inline
#else
#define SINE static inline
#endif

/* 1.5 * 2^23: adding it rounds to a whole number, and puts that into the lowest bits. */
#define ROUNDER 0x1.8p23F

#define TWO_OVER_PI 0x1.45f306p-1F
#define HALF_PI_1 0x1.921fb6p+0F
#define HALF_PI_2 -0x1.777a5cp-25F
#define HALF_PI_3 -0x1.ee59dap-50F

/* sin r = r + r^3 (S0 + S1 r^2 + ...),   cos r = 1 - r^2/2 + r^4 (C0 + C1 r^2 + ...) */
#define S0 -0x1.555544p-3F
#define S1 0x1.1106c6p-7F
#define S2 -0x1.991bf4p-13F
#define C0 0x1.55554ap-5F
#define C1 -0x1.6c0c1cp-10F
#define C2 0x1.99e242p-16F

struct angle {
    float r;
    uint32_t quarters; /* modulo 2^32 */
};

SINE uint32_t sine_bits(float x)
{
    union {
        float number;
        uint32_t bits;
    } both;

    both.number = x;
    return both.bits;
}

SINE struct angle reduce_near(float x)
{
    const float rounded = fmaf(x, TWO_OVER_PI, ROUNDER), quarters = rounded - ROUNDER;
    struct angle a;

    a.quarters = sine_bits(rounded);
    a.r = fmaf(-quarters, HALF_PI_1, x);
    a.r = fmaf(-quarters, HALF_PI_2, a.r);
    a.r = fmaf(-quarters, HALF_PI_3, a.r);
    return a;
}

/* For |x| >= NEAR. */
SINE struct angle reduce_far(float x, const struct window *windows)
{
    const struct window w = windows[(sine_bits(x) >> 23 & 255) - WINDOW_FIRST];
    const double exact = (double)x * w.hi, quarters = rint(fma((double)x, w.lo, exact));
    struct angle a;

    a.r = (float)(fma((double)x, w.lo, exact - quarters) * 1.57079632679489661923);
    a.quarters = quarters == quarters ? (uint32_t)(int)quarters : 0; /* NaN has none */
    return a;
}

/* Returns sin(quarters * pi/2 + r). */
SINE float sine_of(struct angle a)
{
    const float s = a.r * a.r;
    const float sine = fmaf(s * a.r, fmaf(fmaf(S2, s, S1), s, S0), a.r);
    const float cosine = fmaf(fmaf(fmaf(fmaf(C2, s, C1), s, C0), s, -0.5F), s, 1.0F);
    const float size = a.quarters & 1 ? cosine : sine;

    return a.quarters & 2 ? -size : size;
}

SINE struct angle reduce(float x, const struct window *windows)
{
    return fabsf(x) < NEAR ? reduce_near(x) : reduce_far(x, windows);
}

SINE float sine(float x, const struct window *windows)
{
    return sine_of(reduce(x, windows));
}

SINE float cosine(float x, const struct window *windows)
{
    struct angle a = reduce(x, windows);

    a.quarters++; /* cos x = sin(x + pi/2) */
    return sine_of(a);
}

#endif
