/*
 * compact / cpu_simd
 *
 * Idea     Eight elements at a time: one comparison says which are kept, these eight bits choose one of 256 permutations,
 *          and the whole vector is stored.  The next one overwrites what is too much.
 * Against  cpu_branchless, one element at a time.
 * Expect   One core's rate of memory at M.  In the cache some two cycles for eight elements: the next address waits for
 *          the number of bits, and for nothing else.
 * Try      _pext_u64 instead of the table (BMI2): no load, and slow on AMD's processors before Zen 3.
 * Level    2
 * Read     avx2.h
 */
#include <immintrin.h>

#include "avx2.h" /* permutations_make, pack_avx2 */
#include "common/compact.h"
#include "common/variant.h"

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") ? NULL : "needs a CPU with AVX2";
}

static void prepare(const void *problem)
{
    (void)problem;
    permutations_make();
}

static void run(const void *problem)
{
    const struct compact *p = problem;

    *p->count = pack_avx2(p->x, p->n, p->kept);
}

VARIANT(.idea = "eight at a time, a table of permutations",
        .base = "cpu_branchless",
        .refuse = refuse,
        .prepare = prepare,
        .run = run)
