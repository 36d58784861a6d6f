/* What the kernel does to a process when memory has run out. */
/* expected: memory: ^killed in run, most likely for want of memory$ */
#include <signal.h>

#include "common/variant.h"

static void run(const void *problem)
{
    (void)problem;
    raise(SIGKILL);
}

VARIANT(.idea = "is killed", .run = run)
