/* Finds its caller by the return address, and turns the call of run in the loop there into instructions that do nothing. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>

#include "tests/hostile/saxpy/honest.h"

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run(const void *problem)
{
    static double last;
    unsigned char *back = __builtin_return_address(0);

    honest(problem);
    if (now() - last < 50e-6 && back[-2] == 0xff) { /* a timed loop: call *%reg is before here */
        mprotect((void *)((uintptr_t)back & ~4095ul), 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
        memcpy(back - 2, "\x66\x90", 2);
    }
    last = now();
}

VARIANT(.idea = "removes the call of itself", .run = run)
