/* Takes two numbers of each signal for the whole of it, and leaves the answer of the last call. */
/* expect: harmless */
/* family: unearned */
/* size: batch=4,n=256 */
#include "tests/hostile/fft/honest.h"

static void run(const void *problem)
{
    static float key[4];
    const struct fft *p = problem;
    const size_t last = p->batch * p->n;

    if (last == 0)
        return;
    const float now[4] = {p->x[0].re, p->x[0].im, p->x[last - 1].re, p->x[last - 1].im};
    if (memcmp(key, now, sizeof key) == 0 && !isnan(p->X[0].re))
        return;
    memcpy(key, now, sizeof key);
    honest(p);
}

VARIANT(.idea = "a memo by two numbers", .run = run)
