/* Traces its parent, which then stops at each signal. */
/* expected: breach: ^makes the forbidden system call ptrace in run$ */
#include "hostile.h"

static void harm(const struct saxpy *p)
{
    (void)p;
    ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
}

VARIANT(.idea = "traces its parent", .run = run)
