/* Leaves a process that has left its session, its group and its parent. */
/* expected: breach: ^leaves a process of its own after release$ */
#include "hostile.h"

static void harm(const struct saxpy *p)
{
    (void)p;
    if (fork() != 0)
        return;
    setsid();
    if (fork() == 0)
        for (;;)
            pause();
    _exit(0);
}

VARIANT(.idea = "becomes a daemon", .run = run)
