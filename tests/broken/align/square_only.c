/* Takes rows for cols and cols for rows, which is right for squares. */
/* expected: wrong: ^(peak|height|shift)\[[0-9]+\] is */
#include "common/variant.h"
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    const struct align *p = problem;

    struct align turned = *p;

    turned.rows = p->cols;
    turned.cols = p->rows;
    align_all(&turned);
}

VARIANT(.idea = "right for squares only", .run = run)
