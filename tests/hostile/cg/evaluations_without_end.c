/* Does not come back when it is asked for its evaluations. */
/* expect: timeout */
/* family: harm */
/* harm: hangs */
/* size: n=300,every=10 */
#include "tests/hostile/cg/honest.h"

static int large;

static void run(const void *problem)
{
    large = ((const struct cg *)problem)->n == 300;
    honest(problem);
}

static size_t evaluations(struct evaluation list[], size_t room)
{
    (void)list;
    (void)room;
    while (large)
        __asm__ volatile("");
    return 0;
}

VARIANT(.idea = "counts for ever", .prepare = honest_prepare, .run = run, .release = honest_release,
        .evaluations = evaluations)
