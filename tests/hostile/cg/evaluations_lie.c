/* Says of its evaluations that there are more than can be, and that they are no numbers. */
/* expect: harmless */
/* family: harm */
/* harm: words */
/* size: n=300,every=10 */
#include <math.h>

#include "tests/hostile/cg/honest.h"

static void run(const void *problem)
{
    honest(problem);
}

static size_t evaluations(struct evaluation list[], size_t room)
{
    for (size_t i = 0; i < room; i++)
        list[i] = (struct evaluation){i % 3 ? NAN : -INFINITY, i % 2 ? NAN : -1e30f};
    return (size_t)-1;
}

VARIANT(.idea = "lies about evaluations", .prepare = honest_prepare, .run = run, .release = honest_release,
        .evaluations = evaluations)
