/*
 * fft / cpu_blocked
 *
 * Idea     Cache blocking: n = n1 * n2, both near the square root of n.  Every short transform
 *          makes all of its passes within a near cache.  So a long signal goes through memory
 *          twice, whatever its length, instead of once per pass.
 * Against  cpu_simd: the same two steps, but n2 is at most 8, and so n1 nearly as long as n.
 * Expect   No gain while the whole signal fits in a near cache; beyond that, the longer the more.
 * Try      n = 2^20 and 10^6: columns whose elements lie a power of two bytes apart use few lines
 *          of each cache.
 * Level    2
 * Read     avx2.h, fourstep.h, lanes.h
 */
#include <immintrin.h>
#include <math.h>

#include "common/fft.h"
#include "common/variant.h"
#include "avx2.h"     /* eight lanes: struct vec, simd_missing */
#include "fourstep.h" /* columns and rows of a signal, a lane for each */

static struct fourstep steps;

static const char *refuse(const void *problem)
{
    return lanes_refuse(((const struct fft *)problem)->n);
}

static void prepare(const void *problem)
{
    const struct fft *p = problem;

    fourstep_prepare(&steps, p->n, fourstep_divisor(p->n, (size_t)sqrt((double)p->n)), 1, 1);
}

static void run(const void *problem)
{
    const struct fft *p = problem;

    for (size_t b = 0; b < p->batch; b++)
        fourstep_transform(&steps, p->x + b * p->n, p->X + b * p->n, 0);
}

static void release(void)
{
    fourstep_release(&steps);
}

VARIANT(.idea = "columns and rows short enough for a near cache",
        .base = "cpu_simd",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
