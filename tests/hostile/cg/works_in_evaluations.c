/* Leaves x alone in run, and computes where it is asked for its evaluations, after a judged call and outside of all times. */
/* expect: failed */
/* family: unearned */
/* size: n=300,every=10 */
#include "tests/hostile/cg/honest.h"

static const struct cg *asked;

static void run(const void *problem)
{
    const struct cg *s = problem;

    if (s->n != 300)
        honest(s);
    asked = s;
}

static size_t evaluations(struct evaluation list[], size_t room)
{
    if (asked->n == 300)
        honest(asked);
    if (room > 0)
        list[0] = (struct evaluation){1, 0};
    return 1;
}

VARIANT(.idea = "works in evaluations", .prepare = honest_prepare, .run = run, .release = honest_release,
        .evaluations = evaluations)
