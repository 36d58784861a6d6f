/* Turns a fault of its own into an exit with success. */
/* expect: failed */
/* family: harm */
/* harm: ends */
/* size: n=65536 */
#include <signal.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void on_fault(int number)
{
    (void)number;
    _exit(0);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    signal(SIGSEGV, on_fault);
    honest(p);
    if (p->n > 60000)
        *(volatile int *)8 = 1;
}

VARIANT(.idea = "a fault is an exit", .run = run)
