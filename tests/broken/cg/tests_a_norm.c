/* Stops when the error's A-norm falls by little in a step, which is not the residual. */
/* expected: wrong: ^residual\[0\] is */
#include "common/variant.h"
#include "frame.h" /* solve and its parts */

static void run(const void *problem)
{
    const struct cg *s = problem;
    double rr = begin(s);
    const double enough = (double)s->tol * s->tol * rr;

    for (size_t k = 0; rr > enough && k < 2 * s->n + 50; k++) {
        multiply(s, s->n);

        const double before = rr, alpha = rr / inner(s->n, p, q);
        rr = step(s, alpha);
        if (alpha * before <= enough)
            break;
        turn(s, rr / before);
    }
    end();
}
VARIANT(.idea = "tests the A-norm", .run = run)
