/*
 * map / cpu_simd
 *
 * Idea     Our own sine and cosine, eight at a time (AVX2): no table, no branch but one that large arguments take.  int16 in
 *          groups of sixteen.  Answers beyond the caches are computed in a cache, a piece at a time, and stream out from there.
 * Against  cpu_naive, which calls a function of the C library for each number.
 * Expect   trig: some ten times as fast.  Two functions are 29 operations on floats and 17 other instructions for eight elements.  Two
 *          and three of these start per cycle, so they take 15 cycles: about what one core needs for memory.  reldiff and
 *          suppress: memory's rate, as before.
 * Try      In trig8() compare with 0 in place of NEAR: every angle takes the slow way.  S2 = 0: from where on does the judge
 *          object?
 * Level    3
 * Read     sine.h, payne_hanek.h, avx2.h, avx2_range.h
 */
#include "avx2_range.h"
#include "common/variant.h"

static void run(const void *problem)
{
    const struct map *p = problem;

    range(p, 0, p->n);
}

VARIANT(.idea = "sine and cosine of eight at once, one core",
        .base = "cpu_naive",
        .refuse = refuse,
        .prepare = prepare,
        .run = run)
