/*
 * Loops in kernels, marked by the scanner.  A lane's iterations are counted, so that the second pass
 * knows which lanes are at the same point (requests.c).
 *
 * This happens with or without a second pass: one addition for an iteration costs little beside the
 * accesses.  The compiler is not told that memory changes, so that it still moves loads out of loops.
 */
#ifndef CUDASIM_LOOPS_H
#define CUDASIM_LOOPS_H

#include "cudasim_interface.h"

#if defined(__x86_64__)
/* Moves one level in or out, in a ring of 64 with 32 bytes each. */
#define CUDASIM_STEP_LEVEL(step)                                                                   \
    "movq cudasim_level(%%rip), %0\n\t"                                                            \
    "movq %0, %1\n\t"                                                                              \
    "andq $-2048, %1\n\t" /* the ring's start */                                                   \
    step " $32, %k0\n\t"                                                                           \
    "andl $2047, %k0\n\t"                                                                          \
    "orq %0, %1\n\t"                                                                               \
    "movq %1, cudasim_level(%%rip)\n\t"

/* The hash: (that of the outer loop ^ the place) * an odd number, plus one for each iteration. */
static inline __attribute__((always_inline)) void cudasim_enter_loop(void)
{
    void *a, *b, *around;

    __asm__ volatile("movq cudasim_level(%%rip), %0\n\t"
                     "movq 16(%0), %2\n\t"
                     CUDASIM_STEP_LEVEL("addl")
                     "leaq 0(%%rip), %0\n\t"
                     "movq %0, (%1)\n\t"
                     "xorq %0, %2\n\t"
                     "movabsq $0x9e3779b97f4a7c15, %0\n\t"
                     "imulq %0, %2\n\t"
                     "movq %2, 8(%1)\n\t"
                     "movq %2, 16(%1)"
                     : "=&r"(a), "=&r"(b), "=&r"(around)
                     :
                     : "cc");
}

static inline __attribute__((always_inline)) void cudasim_turn_loop(void)
{
    void *a;

    __asm__ volatile("movq cudasim_level(%%rip), %0\n\t"
                     "incq 16(%0)"
                     : "=&r"(a)
                     :
                     : "cc");
}

static inline __attribute__((always_inline)) void cudasim_leave_loop(void)
{
    void *a, *b;

    __asm__ volatile(CUDASIM_STEP_LEVEL("subl") "" : "=&r"(a), "=&r"(b) : : "cc");
}
#undef CUDASIM_STEP_LEVEL
#else
extern "C" void cudasim_enter_loop(void);
extern "C" void cudasim_turn_loop(void);
extern "C" void cudasim_leave_loop(void);
#endif

/* Its destructor runs however the loop is left. */
struct cudasim_loop {
    __attribute__((always_inline)) cudasim_loop() { cudasim_enter_loop(); }
    __attribute__((always_inline)) ~cudasim_loop() { cudasim_leave_loop(); }
    __attribute__((always_inline)) bool turn()
    {
        cudasim_turn_loop();
        return false;
    }
};

/* Turn one statement into another that does not take a following else. */
#define CUDASIM_LOOP switch (cudasim_loop cudasim_loop_; 0) default:
#define CUDASIM_TURN if (cudasim_loop_.turn()) {} else

#endif
