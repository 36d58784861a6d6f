/* Directions in bfloat16: they are no longer conjugate, and A p is off by 2^-9. */
/* expected: wrong: ^residual\[0\] is */
#include "common/variant.h"
#include "frame.h" /* solve and its parts */

#include <stdint.h>

static float rounded(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x8000) & 0xffff0000;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void run(const void *problem)
{
    const struct cg *s = problem;
    double rr = begin(s);
    const double enough = (double)s->tol * s->tol * rr;

    for (size_t k = 0; rr > enough && k < 2 * s->n + 50; k++) {
        multiply(s, s->n);
        for (size_t i = 0; i < s->n; i++)
            q[i] = rounded(q[i]);

        const double before = rr;
        rr = step(s, rr / inner(s->n, p, q));
        turn(s, rr / before);
    }
    end();
}
VARIANT(.idea = "A p in bfloat16", .run = run)
