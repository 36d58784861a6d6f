/* Stacks for a block's threads.  The page below each is closed, so that an overflow faults. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "harness/sim/sim.h"

/* Tops lie 17 pages apart and are shifted a little; otherwise all would use the same cache sets. */
enum { STRIDE = STACK_BYTES + STACK_GUARD, SPREAD = 29, LINE = 64 };

enum { MOST = MAX_CLUSTER * MAX_THREADS };
static char *stacks;
static unsigned short unused[MOST];
static unsigned unused_count, made;

/* Makes the stacks of another block. */
static void make_stacks(void)
{
    for (unsigned i = 0; i < MAX_THREADS; i++) {
        mprotect(stacks + (size_t)(made + i) * STRIDE, STACK_GUARD, PROT_NONE);
        unused[unused_count++] = (unsigned short)(made + MAX_THREADS - 1 - i);
    }
    made += MAX_THREADS;
}

void sim_stacks_start(void)
{
    stacks = mmap(NULL, (size_t)MOST * STRIDE, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED)
        sim_fail(NULL, "no memory for the threads' stacks");
    make_stacks();
}

static size_t stack_number(const void *inside)
{
    return (size_t)((const char *)inside - stacks) / STRIDE;
}

/* Makes a stack look as if fiber_switch had been called before entry's first instruction. */
void *sim_stack_take(void (*entry)(void))
{
    if (unused_count == 0)
        make_stacks();
    size_t i = unused[--unused_count];
    void **frame = (void **)(void *)(stacks + (i + 1) * STRIDE - i % SPREAD * LINE);

#if defined(__x86_64__)
    frame -= 8; /* six registers, the address to continue at, and one that entry would return to */
    memset(frame, 0, 8 * sizeof *frame);
    memcpy(&frame[6], &entry, sizeof entry);
#elif defined(__aarch64__)
    frame -= 20;
    memset(frame, 0, 20 * sizeof *frame);
    memcpy(&frame[1], &entry, sizeof entry);
#else
#error "fiber_switch is written for x86-64 and aarch64"
#endif
    return frame;
}

void sim_stack_give(const void *inside)
{
    unused[unused_count++] = (unsigned short)stack_number(inside);
}

bool sim_on_stack(const void *p, const void *stack)
{
    return (const char *)p >= stacks && stack_number(p) == stack_number(stack);
}

bool sim_stack_guard(const void *p)
{
    return stacks != NULL && (const char *)p >= stacks && stack_number(p) < made &&
           (size_t)((const char *)p - stacks) % STRIDE < STACK_GUARD;
}
