/* Sends itself the signal that the kernel sends when memory has run out, which it has not. */
/* expected: crash: ^killed in run by SIGKILL, sent by itself or from outside; memory had not run out$ */
#include <signal.h>

#include "common/variant.h"

static void run(const void *problem)
{
    (void)problem;
    raise(SIGKILL);
}

VARIANT(.idea = "is killed", .run = run)
