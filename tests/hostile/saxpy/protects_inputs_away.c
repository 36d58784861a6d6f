/* Asks by mprotect for permission to write its inputs, and writes. */
/* expect: harmless */
/* family: harm */
/* harm: data */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <stdint.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    mprotect((void *)((uintptr_t)p->x & ~4095ul), 4096, PROT_READ | PROT_WRITE);
    if (mprotect((void *)((uintptr_t)p->x & ~4095ul), 4096, PROT_READ | PROT_WRITE) == 0)
        *(float *)p->x = 1e30f;
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "asks to write its inputs", .run = run)
