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

/* Returns a number uniform in [0, 1) with 53 random bits. */
static inline double random_unit(uint64_t seed, uint64_t stream, uint64_t i)
{
    return (double)(random_bits(seed, stream, i) >> 11) * 0x1p-53;
}

/* Returns a float32 in (-2, -0.25] or [0.25, 2): random sign, one of three exponents, all 23
   bits of the mantissa. Operations on such values are hardly ever exact, so a wrong index shows.
   The value is assembled from bits, since branches on random bits are mispredicted. */
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

/* Replaces one element in 16 by one that is awkward to compute with: a zero of either sign, or a
   value like random_float's times a power of two from `least` up to `most`.  At most 2^16
   elements, anywhere in the array. */
void random_trouble(float array[], size_t count, uint64_t seed, uint64_t stream, int least, int most);

/* Returns 64 bits from the system's random source: no process can predict or repeat them. */
uint64_t random_unforeseen(void);

/* Fills an array: value i is random_float(seed, stream, i). */
void random_floats(float array[], size_t count, uint64_t seed, uint64_t stream);

#endif
