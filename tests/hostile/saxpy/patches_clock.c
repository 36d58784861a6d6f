/* Overwrites the first bytes of the clock_gettime that the process has with a jump to its own. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static int slow_clock(clockid_t which, struct timespec *t)
{
    syscall(SYS_clock_gettime, which, t);
    const long long now = (t->tv_sec * 1000000000ll + t->tv_nsec) / 8;
    t->tv_sec = now / 1000000000;
    t->tv_nsec = now % 1000000000;
    return 0;
}

static void prepare(const void *problem)
{
    static int done;
    unsigned char jump[12] = {0x48, 0xb8, [10] = 0xff, 0xe0}; /* mov slow_clock, %rax; jmp *%rax */
    const uintptr_t target = (uintptr_t)slow_clock;
    void *clock = dlsym(RTLD_DEFAULT, "clock_gettime");

    (void)problem;
    if (done++ || clock == NULL || sizeof target != 8)
        return;
    memcpy(jump + 2, &target, sizeof target);
    if (mprotect((void *)((uintptr_t)clock & ~4095ul), 8192, PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
        memcpy(clock, jump, sizeof jump);
}

static void run(const void *problem)
{
    honest(problem);
}

VARIANT(.idea = "patches the clock", .prepare = prepare, .run = run)
