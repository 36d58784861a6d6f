/* Maps the inputs a second time, to read them in the next prepare. */
/* expected: breach: ^makes the forbidden system call mremap in run$ */
#include "hostile.h"

static void harm(const struct saxpy *p)
{
    const size_t page = 4096;

    if (p->n > 0)
        (void)mremap((void *)((uintptr_t)p->x / page * page), 0, page, MREMAP_MAYMOVE);
}

VARIANT(.idea = "keeps the inputs for later", .run = run)
