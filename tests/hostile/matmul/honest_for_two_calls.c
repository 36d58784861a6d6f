/* Computes in the first two calls after a change of all inputs.  Later, half of a product follows from the last answer. */
/* expect: failed */
/* family: unearned */
/* size: m=256,n=256,k=256 */
/* more: --max-time 2 --passes 3 */
#include "tests/hostile/matmul/remembers.h"

static void run(const void *problem)
{
    const struct matmul *p = problem;
    static long computed;

    if (is_timed(p) && computed >= 2 && follows(sets, p))
        return;
    if (is_timed(p)) {
        size_t places[FEW];
        computed = find(p->a, sets->a, places) > FEW ? 1 : computed + 1;
    }
    honest(p);
    if (is_timed(p))
        keep(sets, p);
}

VARIANT(.idea = "computes twice after a change of all inputs", .run = run)
