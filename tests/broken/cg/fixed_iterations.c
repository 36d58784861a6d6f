/* Twenty iterations, whatever the data. */
/* expected: wrong: ^residual\[0\] is */
#include "common/variant.h"
#include "frame.h" /* solve and its parts */

static void run(const void *problem)
{
    const struct cg *s = problem;
    double rr = begin(s);
    const double enough = (double)s->tol * s->tol * rr;

    for (size_t k = 0; rr > enough && k < 20; k++) {
        multiply(s, s->n);

        const double before = rr;
        rr = step(s, rr / inner(s->n, p, q));
        turn(s, rr / before);
    }
    end();
}
VARIANT(.idea = "twenty iterations", .run = run)
