/* Adds to what is in the output. */
/* expected: nan: ^height\[[0-9]+\] is nan */
#include "common/variant.h"
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    const struct align *p = problem;

    for (size_t pair = 0; pair < p->pairs; pair++) {
        const float before = p->height[pair];

        align_pair(p, pair);
        p->height[pair] += before;
    }
}

VARIANT(.idea = "adds to the output", .run = run)
