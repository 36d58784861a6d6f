/* Cuts off whatever the other workers and the parent have open: a bus error for each. */
/* expect: harmless */
/* family: harm */
/* harm: data */
/* size: n=65536 */
#define _GNU_SOURCE
#include <fcntl.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static void harm(pid_t sibling, const void *context)
{
    (void)context;
    char path[64];

    for (int number = 3; number < 40; number++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)sibling, number);
        const int file = open(path, O_RDWR | O_NONBLOCK);
        if (ftruncate(file, 0) == 0)
            close(file);
    }
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int calls;

    if (p->n == 65536 && calls++ < 3) {
        for_siblings(getppid(), harm, p);
        harm(the_parent(), p); /* which has all of them open */
    }
    honest(p);
}

VARIANT(.idea = "cuts the outputs of others off", .run = run)
