/* Waits for a flag that nobody sets, and burns a core meanwhile. */
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
