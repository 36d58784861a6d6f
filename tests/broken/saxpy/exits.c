/* Ends the process, and calls that a success. */
/* expected: crash: ^exits with status 0 in run$ */
#include <stdlib.h>

#include "common/variant.h"

static void run(const void *problem)
{
    (void)problem;
    exit(0);
}

VARIANT(.idea = "exits with status 0", .run = run)
