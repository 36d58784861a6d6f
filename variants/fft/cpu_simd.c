/*
 * fft / cpu_simd
 *
 * Idea     Eight lanes of AVX2, and no shuffles in the butterflies: n = n1 * n2 with n2 up to 8,
 *          and x, read as rows of n2, has one transform of n1 points in each column, a lane for
 *          each.  What is then left are n1 transforms of n2 points, again eight at a time.
 * Against  cpu_stockham: the same butterflies, one number at a time.
 * Expect   Bound by arithmetic and the first-level cache for short n, with eight times the width;
 *          by the outer caches for long n, where both do the same number of passes over memory.
 * Try      n = 2048 and 2401 = 7^4, where a lane stays empty; then 2187 = 3^7, where five do.
 */
#include "common/fft.h"
#include "common/variant.h"
#include "fourstep.h" /* columns and rows of lanes */

static struct fourstep steps;
static struct vec *a, *work;

static const char *refuse(const void *problem)
{
    (void)problem;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return "needs a CPU with AVX2 and FMA";
    return NULL;
}

static void prepare(const void *problem)
{
    const struct fft *p = problem;
    size_t n2 = LANES;

    while (p->n % n2 != 0)
        n2--;
    fourstep_prepare(&steps, p->n / n2, n2);
    a = fourstep_alloc(fourstep_a(&steps));
    work = fourstep_alloc(fourstep_work(&steps));
}

static void run(const void *problem)
{
    const struct fft *p = problem;

    for (size_t b = 0; b < p->batch; b++) {
        for (size_t g = 0; g < fourstep_groups(steps.n2); g++)
            fourstep_columns(&steps, g, p->x + b * p->n, a, work);
        for (size_t g = 0; g < fourstep_groups(steps.n1); g++)
            fourstep_rows(&steps, g, a, p->X + b * p->n, work);
    }
}

static void release(void)
{
    fourstep_release(&steps);
    free(a);
    free(work);
}

VARIANT(.idea = "eight transforms in the eight lanes of AVX2",
        .base = "cpu_stockham",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
