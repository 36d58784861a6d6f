/* Takes 1.5 GiB of shared memory, which is no private memory and so in no limit of that. */
/* expect: harmless */
/* family: harm */
/* harm: memory */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "tests/hostile/saxpy/honest.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    const size_t bytes = (size_t)3 << 29;
    char *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    for (size_t i = 0; page != MAP_FAILED && i < bytes; i += 4096)
        page[i] = 1;
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "shared memory", .run = run)
