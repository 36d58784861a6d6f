/* The direction is updated behind the loop, as the talk's cg_solve does. */
/* expected: nan: ^x\[0\] is -?inf */
#include "common/variant.h"
#include "frame.h" /* solve and its parts */

static void run(const void *problem)
{
    const struct cg *s = problem;
    double rr = begin(s);
    const double enough = (double)s->tol * s->tol * rr;

    for (size_t k = 0; rr > enough && k < 2 * s->n + 50; k++) {
        multiply(s, s->n);
        rr = step(s, rr / inner(s->n, p, q));
    }
    end();
}
VARIANT(.idea = "p updated behind the loop", .run = run)
