/*
 * reduce / cpu_simd
 *
 * Idea     Vectors of eight float32 totals, four of each kind.  After 64 additions each lane's total goes into float64:
 *          so few roundings cost no accuracy, and the conversion is paid once in 64 elements.
 * Against  cpu_unrolled, which converts every element to float64.
 * Expect   From a cache, one vector of eight elements per cycle: the loads are the limit.  From memory, what memory
 *          gives one core.  Squares that leave float32's range are seen by their sum, and that block is done again.
 * Try      RUN = 4096 in avx2.h: what does the judge say?  And CHAINS = 1.
 * Level    2
 * Read     avx2.h, totals.h
 */
#include "avx2.h"
#include "common/variant.h"

static const char *refuse(const void *problem)
{
    (void)problem;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? NULL : "needs AVX2 and FMA";
}

static void run(const void *problem)
{
    const struct reduce *p = problem;
    const struct totals all = totals_of(p->x, p->n);

    totals_answer(p, &all);
}

VARIANT(.idea = "eight lanes of float32, in runs of 64", .base = "cpu_unrolled", .refuse = refuse, .run = run)
