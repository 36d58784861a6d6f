/* Sends nonsense to the parent before the worker replies. */
/* expected: breach: ^sends its own replies over the worker's socket$ */
#include "hostile.h"

static void harm(const struct saxpy *p)
{
    static char nonsense[1 << 16];

    (void)p;
    memset(nonsense, 0xff, sizeof nonsense);
    (void)!write(3, nonsense, sizeof nonsense); /* as much as its parent takes */
}

VARIANT(.idea = "answers in the harness's place", .run = run)
