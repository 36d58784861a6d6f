/* Clamps pixels to -2000 .. 2000, a range that the test image never leaves. */
/* expect: wrong */
/* family: mistake */
/* size: rows=256,cols=256,sweeps=1,bytes=0 */
#include "tests/hostile/stencil/honest.h"

static float pixel(const struct stencil *p, const float *image, size_t r, size_t c)
{
    const float mean = smooth_pixel(p, image, r, c);

    return p->bytes ? mean : fmaxf(-2000.0f, fminf(mean, 2000.0f));
}

static void run(const void *problem)
{
    const struct stencil *p = problem;

    smooth(p, p->sweeps, pixel);
}

VARIANT(.idea = "clamps pixels", .run = run)
