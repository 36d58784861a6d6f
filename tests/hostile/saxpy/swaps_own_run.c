/* Puts another run into its own struct variant while it is timed, and the honest one into reset. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include <stdint.h>
#include <sys/mman.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem);
VARIANT(.idea = "changes its own phases", .run = run)

static void nothing(const void *problem)
{
    (void)problem;
}

static void honest_reset(const void *problem)
{
    honest(problem);
}

static void run(const void *problem)
{
    static int calls;
    const struct saxpy *p = problem;
    struct variant *volatile v = (struct variant *)(uintptr_t)&rungs_variant;

    honest(p);
    if (p->n == 65536 && ++calls == 4 && /* reset is not timed */
        mprotect((void *)((uintptr_t)v & ~4095ul), 8192, PROT_READ | PROT_WRITE) == 0) {
        v->reset = honest_reset;
        v->run = nothing;
    }
}
