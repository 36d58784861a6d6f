/* Forgets the direction of before, and makes as many steps as conjugate gradients need. */
/* expected: wrong: ^residual\[0\] is */
#include "common/variant.h"
#include "frame.h" /* solve and its parts */

static void run(const void *problem)
{
    const struct cg *s = problem;
    double rr = begin(s);
    const double enough = (double)s->tol * s->tol * rr;

    for (size_t k = 0; rr > enough && k < 60; k++) {
        multiply(s, s->n);
        rr = step(s, rr / inner(s->n, p, q));
        turn(s, 0.0);
    }
    end();
}
VARIANT(.idea = "beta is 0", .run = run)
