/* Reads its inputs in prepare when they hold values, in all possible ways: mapped again, or made
   readable.  tests/broken/harms.t has it timed. */
/* expected: ok */
#include "hostile.h"

static void harm(const struct saxpy *p)
{
    (void)p;
}

static void prepare(const void *problem)
{
    const struct saxpy *p = problem;
    const size_t page = 4096;

    if (p->n == 0)
        return;
    for (int file = 4; file < 64; file++)
        if (mmap(NULL, page, PROT_READ, MAP_SHARED, file, 0) != MAP_FAILED)
            harm_done("a file of the harness is there in prepare");
    mprotect((void *)((uintptr_t)p->x / page * page), page, PROT_READ);
    if (!isnan(*(const volatile float *)p->x))
        harm_done("the inputs are there in prepare");
}

VARIANT(.idea = "reads its inputs in prepare", .prepare = prepare, .run = run)
