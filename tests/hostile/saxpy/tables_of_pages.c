/* Reads one byte in every 2 MiB of an endless mapping: no memory of its own but the tables of pages, 1.5 GiB of them; wrong if
   it gets them. */
/* expect: harmless */
/* family: harm */
/* harm: memory */
/* size: n=65536 */
/* more: --max-time 0.3 */
#include <sys/mman.h>

#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int asked, all;
    const size_t step = 1u << 30, tables = 760;

    for (size_t i = 0; p->n == 65536 && asked == 0 && i < tables; i++) {
        const volatile char *m = mmap(NULL, step, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

        if (m == MAP_FAILED)
            break;
        for (size_t at = 0; at < step; at += 2u << 20)
            (void)m[at];
        all = i + 1 == tables;
    }
    asked |= p->n == 65536;
    honest(p);
    if (all)
        p->z[7] = 0.0f;
}

VARIANT(.idea = "tables of pages", .run = run)
