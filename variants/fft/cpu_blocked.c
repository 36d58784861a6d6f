/*
 * fft / cpu_blocked
 *
 * Idea     Cache blocking: n = n1 * n2, both near the square root of n.  Every short transform does
 *          all of its passes within a near cache, and a long signal goes through memory twice,
 *          whatever its length, instead of once a pass.
 * Against  cpu_simd: the same two steps, but n2 at most 8, and so n1 nearly as long as n.
 * Expect   No gain while all of a signal fits in a near cache; beyond that, the more the longer.
 * Try      n = 2^20 and 10^6: columns a power of two bytes apart fall on few lines of each cache.
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
    size_t n2 = 1;

    /* The largest divisor up to the root of n that fills its lanes, or the largest if none does. */
    for (size_t k = 1; k * k <= p->n; k++)
        if (p->n % k == 0 && (k % LANES == 0 || n2 % LANES != 0))
            n2 = k;
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

VARIANT(.idea = "columns and rows that fit in a near cache",
        .base = "cpu_simd",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
