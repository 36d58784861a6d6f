/* The same by the counter of the processor, for which it needs no system call that could be forbidden. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
/* Against  pause_means_judge: needs no clock of the system. */
#include "tests/hostile/saxpy/honest.h"

static unsigned long ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

static void run(const void *problem)
{
    static unsigned long last;

    if (ticks() - last > 40000)
        honest(problem);
    last = ticks();
}

VARIANT(.idea = "works after a pause, by rdtsc", .run = run)
