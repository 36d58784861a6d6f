/* Leaves a process that has left its group and session, and does not end by itself. */
/* expected: timeout: ^no answer from run within 3 s$ */
#include "hostile.h"

static void harm(const struct saxpy *p)
{
    (void)p;
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            for (;;)
                pause();
        _exit(0);
    }
    for (;;)
        pause();
}

VARIANT(.idea = "a daemon, and no answer", .run = run)
