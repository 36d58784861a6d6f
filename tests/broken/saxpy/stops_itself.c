/* Stops itself and never continues. */
/* expected: timeout: ^no answer from run within 3 s$ */
#include "hostile.h"

static void harm(const struct saxpy *p)
{
    (void)p;
    raise(SIGSTOP);
}

VARIANT(.idea = "stops itself", .run = run)
