/* Maps the inputs a second time, with permission to write, and changes one number for all. */
/* expect: harmless */
/* family: harm */
/* harm: data */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <fcntl.h>
#include <stdint.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/case_files.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    const int file = open("/proc/self/fd/4", O_RDWR);
    const off_t at = ((uintptr_t)p->x & ~4095ul) - 0x7e8000000000;
    float *x = mmap(NULL, p->n * sizeof *x, PROT_READ | PROT_WRITE, MAP_SHARED, file, at);

    if (x != MAP_FAILED)
        x[100] = NAN;
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && ++done == 5)
        attack(p);
    honest(p);
}

VARIANT(.idea = "maps the inputs again", .run = run)
