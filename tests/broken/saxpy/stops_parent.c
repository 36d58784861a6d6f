/* Stops the process that waits for it. */
/* expected: breach: ^makes the forbidden system call kill in run$ */
#include "hostile.h"

static void harm(const struct saxpy *p)
{
    (void)p;
    kill(getppid(), SIGSTOP);
}

VARIANT(.idea = "stops its parent", .run = run)
