/* Maps shared memory that no other process uses, because the memory limit does not count it. */
/* expected: breach: ^makes the forbidden system call mmap in run$ */
#include "hostile.h"

static void harm(const struct saxpy *p)
{
    const size_t bytes = (size_t)1 << 29;

    (void)p;
    memset(mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), 1, bytes);
    harm_done("half a GiB that no limit counts");
}

VARIANT(.idea = "shared memory without end", .run = run)
