/*
 * map: what is left of large angles.
 *
 * x = quarters * pi/2 + r needs x * 2/pi.  For large x nearly all of that product is whole turns, which sine and cosine do not
 * depend on.  M. Payne and R. Hanek ("Radian Reduction for Trigonometric Functions", SIGNUM Newsletter 18(1), 1983) leave out the
 * digits of 2/pi that only add whole turns.  Which ones depends on the exponent of x, so each exponent has its window of digits:
 *
 *     2/pi, binary     0.1010001011111001100000110110111001001110010001000001010100101001 ...
 *     window           | left out: turns | hi: 29 bits | lo: 53 bits |
 *
 * x has 24 bits, so x * hi is exact in float64.  Of all float32, 0x1.f37c8ap+95 is nearest to a multiple of pi/2, at 2^-29.2.
 * lo ends at 2^-81 of a quarter of the window's scale, 2^24 of which are 2^-57: the remainder is right to 2^-27 of itself or better.
 */
#ifndef RUNGS_MAP_PAYNE_HANEK_H
#define RUNGS_MAP_PAYNE_HANEK_H

#include <math.h>
#include <stdint.h>

#define NEAR 0x1p17F /* up to there 2/pi as one float32 is enough (sine.h) */

enum {
    WINDOW_FIRST = 127 + 17,               /* the biased exponent of NEAR */
    WINDOWS = 255 - WINDOW_FIRST + 1,      /* the last one is for infinity and NaN */
    WINDOW_HIGH = 29, WINDOW_LOW = 64      /* bits; float64 keeps 53 of the lower ones */
};

/* 2/pi in two parts, without multiples of 4 of a quarter turn for numbers of one exponent. */
struct window {
    double hi, lo;
};

/* Returns digits of 1/pi as a whole number.  The first one after the point has the number 0, all before it are 0. */
static inline uint64_t window_bits(int first, int count)
{
    static const uint32_t one_over_pi[] = {0x517cc1b7, 0x27220a94, 0xfe13abe8, 0xfa9a6ee0,
                                           0x6db14acc, 0x9e21c820, 0xff28b1d5, 0xef5de2b0};
    uint64_t bits = 0;

    for (int i = first; i < first + count; i++)
        bits = bits << 1 | (i < 0 ? 0 : one_over_pi[i / 32] >> (31 - i % 32) & 1);
    return bits;
}

static inline void windows_make(struct window windows[WINDOWS])
{
    for (int w = 0; w < WINDOWS; w++) {
        const int last_bit = w + WINDOW_FIRST - 127 - 23; /* x is a multiple of 2^last_bit, and below 2^24 of these */
        const int first = last_bit - 1;                   /* the digit of 1/pi that is worth 2 quarters there */

        windows[w].hi = ldexp((double)window_bits(first, WINDOW_HIGH), 2 - WINDOW_HIGH - last_bit);
        windows[w].lo = ldexp((double)window_bits(first + WINDOW_HIGH, WINDOW_LOW), 2 - WINDOW_HIGH - WINDOW_LOW - last_bit);
    }
    windows[WINDOWS - 1].hi = windows[WINDOWS - 1].lo = NAN;
}

#endif
