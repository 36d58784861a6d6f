/* Puts a function fmin of its own into the worker that always returns 0, in case the least of several
   times is taken with it. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/worker.h"

static double own_fmin(double a, double b)
{
    (void)a;
    (void)b;
    return 0.0;
}

static void run(const void *problem)
{
    honest(problem);
}

__attribute__((constructor)) static void attack(void)
{
    worker_calls("fmin", (void *)own_fmin);
}

VARIANT(.idea = "the least of two is nothing", .run = run)
