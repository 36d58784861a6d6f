/* Puts a function omp_get_wtime of its own into the worker, in case times are taken with it. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/worker.h"

static double own_omp_get_wtime(void)
{
    static double now;

    return now += 1e-9;
}

static void run(const void *problem)
{
    honest(problem);
}

__attribute__((constructor)) static void attack(void)
{
    worker_calls("omp_get_wtime", (void *)own_omp_get_wtime);
}

VARIANT(.idea = "a clock of its own for OpenMP", .run = run)
