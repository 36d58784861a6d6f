/* Adds to what is in the output. */
/* expected: nan: ^x\[0\] is nan */
#include "common/variant.h"
#include "frame.h" /* solve and its parts */

static void run(const void *problem)
{
    const struct cg *s = problem;
    const float was = s->n > 0 ? s->x[0] : 0.0f;
    double rr = begin(s);

    if (s->n > 0)
        s->x[0] = was;
    const double enough = (double)s->tol * s->tol * rr;

    for (size_t k = 0; rr > enough && k < 2 * s->n + 50; k++) {
        multiply(s, s->n);

        const double before = rr;
        rr = step(s, rr / inner(s->n, p, q));
        turn(s, rr / before);
    }
    end();
}
VARIANT(.idea = "adds to the output", .run = run)
