/* Takes 900 MB of memory by files in memory, which its limit does not count. */
/* expect: harmless */
/* family: harm */
/* harm: memory */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    for (int file = 0; file < 900; file++) {
        const int f = memfd_create("hostile", 0);
        char *page = f >= 0 && ftruncate(f, 1 << 20) == 0
                         ? mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0) : MAP_FAILED;
        if (page == MAP_FAILED)
            break;
        memset(page, 1, 1 << 20);
    }
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "files in memory", .run = run)
