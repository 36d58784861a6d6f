/* Says columns, rows instead of rows, columns. */
/* expected: wrong: ^shift\[[0-9]+\] is */
#include "common/variant.h"
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    const struct align *p = problem;

    align_all(p);
    for (size_t pair = 0; pair < p->pairs; pair++) {
        const float rows = p->shift[2 * pair];
        p->shift[2 * pair] = p->shift[2 * pair + 1];
        p->shift[2 * pair + 1] = rows;
    }
}

VARIANT(.idea = "rows for columns", .run = run)
