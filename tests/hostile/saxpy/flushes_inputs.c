/* Leaves a process that flushes the inputs, which all variants share, out of all caches while others are timed. */
/* expect: harmless */
/* family: harm */
/* harm: data */
/* size: n=65536 */
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void flush(const struct saxpy *p)
{
    setsid();
    for (;;)
        for (size_t i = 0; i < p->n; i += 16) {
#if defined(__x86_64__)
            __builtin_ia32_clflush(p->x + i);
            __builtin_ia32_clflush(p->y + i);
#endif
        }
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    honest(p);
    if (p->n == 65536 && !done++ && fork() == 0)
        flush(p);
}

VARIANT(.idea = "flushes the caches of others", .run = run)
