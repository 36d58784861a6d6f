/* Ends the process with status 0. */
/* expected: crash: ^exits with status 0 in run$ */
#include <stdlib.h>

#include "common/variant.h"

static void run(const void *problem)
{
    (void)problem;
    exit(0);
}

VARIANT(.idea = "exits with status 0", .run = run)
