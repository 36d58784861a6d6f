/* Handles its own faults: it touches what is no memory, jumps back, and pretends that all is well. */
/* expect: failed */
/* family: harm */
/* harm: remains */
/* size: n=65536 */
#include <setjmp.h>
#include <signal.h>

#include "tests/hostile/saxpy/honest.h"

static sigjmp_buf back;

static void on_fault(int number)
{
    siglongjmp(back, number);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    signal(SIGSEGV, on_fault);
    signal(SIGBUS, on_fault);
    if (sigsetjmp(back, 1) == 0)
        for (size_t i = 0;; i++) /* up to the end of the page, and not of the array */
            p->z[i] = i < p->n ? p->a * p->x[i] + p->y[i] : 0.0f;
}

VARIANT(.idea = "handles its faults", .run = run)
