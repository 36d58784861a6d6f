/*
 * fft / cpu_simd
 *
 * Idea     Eight lanes of AVX2, and no shuffles in the butterflies.  n = n1 * n2, with n2 up to 8.
 *          Read x as rows of n2 numbers: each column is then a transform of n1 points, and gets a
 *          lane of its own.  What remains are n1 transforms of n2 points, again eight at a time.
 * Against  cpu_stockham: the same butterflies, one number at a time.
 * Expect   Short n: bound by arithmetic and the first-level cache, with eight times the width.
 *          Long n: bound by the outer caches, where both variants make as many passes over memory.
 * Try      n = 2048 and 2401 = 7^4, where a lane stays empty; then 2187 = 3^7, where five do.
 * Level    2
 * Read     avx2.h, fourstep.h, lanes.h
 */
#include <immintrin.h>

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

    fourstep_prepare(&steps, p->n, fourstep_divisor(p->n, LANES), 1, 1);
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

VARIANT(.idea = "eight transforms in the eight lanes of AVX2",
        .base = "cpu_stockham",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
