/* Gives all pairs the answer of the first. */
/* expected: wrong: ^(peak|height)\[[1-9][0-9]*\] is */
#include "common/variant.h"
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    const struct align *p = problem;

    for (size_t pair = 0; pair < p->pairs; pair++)
        if (pair == 0) {
            align_pair(p, 0);
        } else {
            p->peak[pair] = p->peak[0];
            p->height[pair] = p->height[0];
            p->shift[2 * pair] = p->shift[0];
            p->shift[2 * pair + 1] = p->shift[1];
        }
}

VARIANT(.idea = "the first pair only", .run = run)
