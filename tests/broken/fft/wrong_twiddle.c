/* Has one weight that is off by a 64th of a turn, which affects one bin of each signal. */
/* expected: wrong: ^X\[[0-9]+\]\[[01]\] is .* \(2 of 6144 wrong\)$ */
#include "common/variant.h"
#include "tests/broken/fft/frame.h"

static void run(const void *problem)
{
    const struct fft *p = problem;
    struct root *w = roots(p->n);

    transform(p, w);
    if (p->n == 1024 && p->batch > 0) {
        size_t f = p->n / 2 + 5;

        w[f * 77 % p->n] = w[(f * 77 + p->n / 64) % p->n];
        p->X[f] = bin(p->n, w, p->x, f); /* f is odd, so it meets this weight once */
    }
    free(w);
}

VARIANT(.idea = "a wrong weight in one bin", .run = run)
