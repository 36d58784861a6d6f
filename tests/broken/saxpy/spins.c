/* Waits for a flag that is never set, and occupies a core meanwhile. */
/* expected: timeout: ^no answer from run within 3 s$ */
#include "common/variant.h"

static volatile int done;

static void run(const void *problem)
{
    (void)problem;
    while (!done)
        ;
}

VARIANT(.idea = "spins for ever", .run = run)
