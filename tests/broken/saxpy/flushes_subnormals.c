/* Leaves subnormal numbers flushed to zero, which is faster, and wrong for later code in the process. */
/* expected: breach: ^leaves subnormal numbers flushed to zero$ */
#include <stdint.h>

#include "common/saxpy.h"
#include "common/variant.h"

static void flush_subnormals(void)
{
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#elif defined(__aarch64__)
    uint64_t mode;

    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    __asm__ volatile("msr fpcr, %0" : : "r"(mode | 1 << 24));
#endif
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    flush_subnormals();
    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
}

VARIANT(.idea = "leaves subnormals flushed to zero", .run = run)
