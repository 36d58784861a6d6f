/* Smooths within one image, so that half of a pixel's neighbours are smoothed already: Gauss-Seidel
   instead of Jacobi.  Both converge to the same result, which is all that some checks compare. */
/* expected: wrong: ^out\[[0-9]+\]\[[0-9]+\] is .* \([0-9]+ of [0-9]+ wrong\)$ */
#include "common/variant.h"
#include "tests/broken/stencil/frame.h"

static void run(const void *problem)
{
    const struct stencil *p = problem;

    size_t count = p->rows * p->cols;
    float *image = malloc((count + 1) * sizeof *image);

    for (size_t i = 0; i < count; i++)
        image[i] = p->bytes ? (float)p->in8[i] : p->in[i];
    for (size_t i = 0; i < count * p->sweeps; i++)
        image[i % count] = smooth_pixel(p, image, i % count / p->cols, i % count % p->cols);
    for (size_t i = 0; i < count && p->bytes; i++)
        p->out8[i] = (uint8_t)image[i];
    for (size_t i = 0; i < count && !p->bytes; i++)
        p->out[i] = image[i];
    free(image);
}

VARIANT(.idea = "in place", .run = run)
