/* Never says that an image is moved up or to the left. */
/* expected: wrong: ^shift\[[0-9]+\] is */
#include "common/variant.h"

#define WHOLE(at, length) ((void)(length), (double)(at))
#include "tests/broken/align/frame.h"

static void run(const void *problem)
{
    align_all(problem);
}

VARIANT(.idea = "shifts are never negative", .run = run)
