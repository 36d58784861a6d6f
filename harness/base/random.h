/*
 * Random inputs by counter: value i of a stream depends on (seed, stream, i) and on nothing else,
 * so any element can be made again without the ones before it.
 *
 * The mixing function is SplitMix64's (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom
 * Number Generators", OOPSLA 2014).
 */
#ifndef RUNGS_RANDOM_H
#define RUNGS_RANDOM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t random_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint64_t random_bits(uint64_t seed, uint64_t stream, uint64_t i)
{
    return random_mix(random_mix(seed * 0x9e3779b97f4a7c15u + stream) + i * 0x9e3779b97f4a7c15u);
}

/* Uniform in [0, 1), 53 random bits. */
static inline double random_unit(uint64_t seed, uint64_t stream, uint64_t i)
{
    return (double)(random_bits(seed, stream, i) >> 11) * 0x1p-53;
}

/* A float32 in (-2, -0.25] or [0.25, 2): random sign, one of three exponents, all 23 bits of the
   mantissa.  No two operations on such values come out exact, and no index can be mistaken.  Put
   together from its bits, since branches on random ones are mispredicted. */
static inline float random_float(uint64_t seed, uint64_t stream, uint64_t i)
{
    const uint64_t bits = random_bits(seed, stream, i);
    const uint32_t sign = (uint32_t)(bits >> 2 & 1), scale = (uint32_t)(bits & 3);
    const uint32_t exponent = 125 + (scale < 2 ? scale : 2); /* 1/4, 1/2, or twice as often 1 */
    const uint32_t word = sign << 31 | exponent << 23 | (uint32_t)(bits >> 41);
    float value;

    memcpy(&value, &word, sizeof value);
    return value;
}

/* Makes one in 16 of an array awkward to compute with: a zero of either sign, or a value as random_float's
   times a power of two from `least` up to `most`.  At most 2^16 of them, anywhere. */
void random_trouble(float array[], size_t count, uint64_t seed, uint64_t stream, int least, int most);

/* 64 bits from the system, which no process can foresee and none can make again. */
uint64_t random_unforeseen(void);

/* An array of them, value i from i. */
void random_floats(float array[], size_t count, uint64_t seed, uint64_t stream);

#endif
