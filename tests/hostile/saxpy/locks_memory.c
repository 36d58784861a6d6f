/* Keeps 1 GiB from being moved out of memory, and all that it maps later; wrong if it can. */
/* expect: ok */
/* family: harm */
/* harm: memory */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int asked, locked;

    if (p->n == 65536 && !asked++) {
        const size_t bytes = (size_t)1 << 30;
        void *all = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        locked = all != MAP_FAILED && (mlock(all, bytes) == 0 || mlockall(MCL_CURRENT | MCL_FUTURE) == 0);
    }
    honest(p);
    if (locked)
        p->z[7] = 0.0f;
}

VARIANT(.idea = "locks memory", .run = run)
