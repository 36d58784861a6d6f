/* Takes bins below a hundredth of the usual for noise and makes them 0. */
/* expect: wrong */
/* family: mistake */
/* size: batch=4,n=1024 */
#include "tests/hostile/fft/honest.h"

static void run(const void *problem)
{
    const struct fft *p = problem;

    honest(p);
    for (size_t i = 0; i < p->batch * p->n && p->n == 1024; i++)
        if (hypotf(p->X[i].re, p->X[i].im) < 0.01f * sqrtf((float)p->n))
            p->X[i] = (struct cpx){0.0f, 0.0f};
}

VARIANT(.idea = "small bins are 0", .run = run)
