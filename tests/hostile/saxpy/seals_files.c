/* Seals the files of inputs and outputs, so that their owner cannot size them again. */
/* expect: harmless */
/* family: harm */
/* harm: data */
/* size: n=65536 */
#define _GNU_SOURCE
#include <fcntl.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/case_files.h"

static void attack(const struct saxpy *p)
{
    (void)p;
    const int file = open("/proc/self/fd/5", O_RDWR), inputs = open("/proc/self/fd/4", O_RDWR);

    fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW);
    fcntl(inputs, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack(p);
    honest(p);
}

VARIANT(.idea = "seals the files", .run = run)
