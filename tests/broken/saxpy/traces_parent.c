/* Traces its parent, which then stops at each signal. */
/* expected: breach: ^asks the kernel for ptrace in run, which no variant may$ */
#include "hostile.h"

static void harm(const struct saxpy *p)
{
    (void)p;
    ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
}

VARIANT(.idea = "traces its parent", .run = run)
