/* Reads one triangle, and adds the diagonal for both. */
/* expected: wrong: ^residual\[0\] is */
#include "common/variant.h"
#include "frame.h" /* solve and its parts */

static void symmetric(const struct cg *s)
{
    memset(q, 0, s->n * sizeof *q);
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j <= i; j++) {
            q[i] += s->a[i * s->n + j] * p[j];
            q[j] += s->a[i * s->n + j] * p[i];
        }
}

static void run(const void *problem)
{
    const struct cg *s = problem;
    double rr = begin(s);
    const double enough = (double)s->tol * s->tol * rr;

    for (size_t k = 0; rr > enough && k < 2 * s->n + 50; k++) {
        symmetric(s);

        const double before = rr;
        rr = step(s, rr / inner(s->n, p, q));
        turn(s, rr / before);
    }
    end();
}
VARIANT(.idea = "the diagonal twice", .run = run)
