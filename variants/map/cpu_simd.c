/*
 * map / cpu_simd
 *
 * Idea     Our own sine and cosine, eight at a time (AVX2): no table, no branch but one that large arguments take.  int16 in
 *          groups of sixteen.  Streaming stores for answers beyond the caches.
 * Against  cpu_naive, which calls a function of the C library for each number.
 * Expect   trig: some twenty times as fast.  Each function is 13 multiply-adds, and two of them start per cycle, so eight
 *          elements take 13 cycles: near what one core gets from memory.  reldiff and suppress: memory's rate, as before.
 * Try      NEAR = 1: every angle takes the slow way.  S2 = 0: from where on does the judge object?
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
