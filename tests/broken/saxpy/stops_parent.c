/* Stops the process that waits for it. */
/* expected: breach: ^asks the kernel for kill in run, which no variant may$ */
#include "hostile.h"

static void harm(const struct saxpy *p)
{
    (void)p;
    kill(getppid(), SIGSTOP);
}

VARIANT(.idea = "stops its parent", .run = run)
