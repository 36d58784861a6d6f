/* Returns the right bins in the order in which decimation in frequency leaves them.  Their energy is
   right. */
/* expected: wrong: ^X\[[0-9]+\]\[[01]\] is .* \(8 of 16 wrong\)$ */
#include "common/variant.h"
#include "tests/broken/fft/frame.h"

static size_t reversed(size_t n, size_t f)
{
    size_t r = 0;

    if ((n & (n - 1)) != 0)
        return f; /* not a power of two: there are no bits to reverse */
    for (size_t bit = 1; bit < n; bit *= 2, f /= 2)
        r = 2 * r + f % 2;
    return r;
}

static void run(const void *problem)
{
    const struct fft *p = problem;
    struct root *w = roots(p->n);

    for (size_t i = 0; i < p->batch * p->n; i++)
        p->X[i] = bin(p->n, w, p->x + i / p->n * p->n, reversed(p->n, i % p->n));
    free(w);
}

VARIANT(.idea = "in bit-reversed order", .run = run)
