/* Fills signals up with zeros to the next product of 2, 3, 5 and 7, as for a convolution.  The bins of such a
   transform lie elsewhere, all but the first. */
/* expected: wrong: ^X\[[0-9]+\]\[[01]\] is .* \(852 of 858 wrong\)$ */
#include <string.h>

#include "common/variant.h"
#include "tests/broken/fft/frame.h"

static size_t next_smooth(size_t n)
{
    for (;; n++) {
        size_t left = n;

        for (size_t r = 2; r <= 7; r++)
            while (left % r == 0)
                left /= r;
        if (left == 1)
            return n;
    }
}

static void run(const void *problem)
{
    const struct fft *p = problem;
    const size_t m = next_smooth(p->n);
    struct root *w = roots(m);
    struct cpx *x = calloc(m, sizeof *x);

    for (size_t b = 0; b < p->batch; b++) {
        memcpy(x, p->x + b * p->n, p->n * sizeof *x);
        for (size_t f = 0; f < p->n; f++)
            p->X[b * p->n + f] = bin(m, w, x, f);
    }
    free(x);
    free(w);
}

VARIANT(.idea = "fills up with zeros", .run = run)
