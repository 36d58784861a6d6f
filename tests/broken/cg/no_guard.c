/* Goes on until the next look, and divides 0 by 0 where the residual is 0 before. */
/* expected: nan: ^x\[[0-9]+\] is */
#include "common/variant.h"
#include "frame.h" /* solve and its parts */

static void run(const void *problem)
{
    const struct cg *s = problem;
    double rr = begin(s);
    const double enough = (double)s->tol * s->tol * rr;

    for (size_t k = 0; rr > enough && k < 2 * s->n + 50; k++) {
        for (size_t look = 0; look < s->every; look++) {
            multiply(s, s->n);

            const double before = rr;
            rr = step(s, rr / inner(s->n, p, q));
            turn(s, rr / before);
        }
    }
    end();
}
VARIANT(.idea = "no guard against a residual of 0", .run = run)
