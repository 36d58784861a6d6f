/* Two threads add a and y to the same element without a lock at the seam of their halves. */
/* expect: wrong */
/* family: mistake */
/* size: n=65536 */
#include <omp.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    const size_t half = p->n / 2;

    memset(p->z, 0, p->n * sizeof *p->z);
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        for (size_t i = 0; i < half; i++)
            p->z[i] = p->a * p->x[i] + p->y[i];
#pragma omp section
        for (size_t i = half; i < p->n; i++)
            p->z[i] = p->a * p->x[i] + p->y[i];
    }
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int half_of = 0; half_of < 2; half_of++)
        for (int turn = 0; turn < 200 && p->n > 1000; turn++)
            ((volatile float *)p->z)[777] += half_of ? 1.0f : -1.0f;
}

VARIANT(.idea = "races at one element", .run = run)
