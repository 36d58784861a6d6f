/* Crashes while a child process holds its files open. */
/* expected: crash: ^abort in run */
#include <stdlib.h>
#include <unistd.h>

#include "common/variant.h"

static void run(const void *problem)
{
    (void)problem;
    if (fork() == 0)
        for (;;)
            pause();
    abort();
}

VARIANT(.idea = "crashes, and a child does not", .run = run)
