/*
 * fft / cpu_parallel
 *
 * Idea     All cores.  Many signals: each core transforms its own.  Fewer signals than cores: all
 *          cores share one signal's columns, wait for each other, then share its rows.
 * Against  cpu_blocked, the same work on one core.
 * Expect   Many short signals: faster by the number of cores.  One long signal: by what the shared
 *          cache and the memory give, with two barriers for each.
 * Try      batch = 1, n = 2^10 to 2^20: from where on do the barriers cost less than they gain?
 */
#include <omp.h>

#include "common/fft.h"
#include "common/variant.h"
#include "fourstep.h" /* columns and rows of lanes */

static struct fourstep steps;
static size_t threads;
static struct vec *a;    /* one for each signal in work at a time */
static struct vec *work; /* one for each thread */

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
    threads = (size_t)omp_get_max_threads();
    a = fourstep_alloc(fourstep_a(&steps) * (p->batch < threads ? 1 : threads));
    work = fourstep_alloc(fourstep_work(&steps) * threads);
}

static void run(const void *problem)
{
    const struct fft *p = problem;
    const size_t columns = fourstep_groups(steps.n2), rows = fourstep_groups(steps.n1);

    if (p->batch >= threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
        for (size_t b = 0; b < p->batch; b++) {
            size_t me = (size_t)omp_get_thread_num();
            struct vec *my_a = a + me * fourstep_a(&steps);
            struct vec *my_work = work + me * fourstep_work(&steps);

            for (size_t g = 0; g < columns; g++)
                fourstep_columns(&steps, g, p->x + b * p->n, my_a, my_work);
            for (size_t g = 0; g < rows; g++)
                fourstep_rows(&steps, g, my_a, p->X + b * p->n, my_work);
        }
        return;
    }
    for (size_t b = 0; b < p->batch; b++) {
#pragma omp parallel num_threads(threads)
        {
            size_t me = (size_t)omp_get_thread_num();
            struct vec *my_work = work + me * fourstep_work(&steps);

#pragma omp for schedule(static)
            for (size_t g = 0; g < columns; g++)
                fourstep_columns(&steps, g, p->x + b * p->n, a, my_work);
            /* the loop's end is a barrier: a row needs all columns */
#pragma omp for schedule(static)
            for (size_t g = 0; g < rows; g++)
                fourstep_rows(&steps, g, a, p->X + b * p->n, my_work);
        }
    }
}

static void release(void)
{
    fourstep_release(&steps);
    free(a);
    free(work);
}

VARIANT(.idea = "all cores, over signals or over columns and rows",
        .base = "cpu_blocked",
        .refuse = refuse,
        .prepare = prepare,
        .run = run,
        .release = release)
