/* Leaves a process that writes NaN into the outputs of the other workers by /proc/PID/fd. */
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
    const float wrong = NAN;

    for (int number = 3; number < 40; number++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)sibling, number);
        const int file = open(path, O_RDWR | O_NONBLOCK);

        if (file < 0 || fork() != 0)
            continue;
        setsid();
        for (int turn = 0; turn < 200000; turn++, usleep(10))
            if (pwrite(file, &wrong, sizeof wrong, 8192 + 4096 * (turn % 60)) < 0)
                break;
        _exit(0);
    }
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int calls;

    if (p->n == 65536 && calls++ < 3) {
        for_siblings(getppid(), harm, p);
        harm(the_parent(), p);
    }
    honest(p);
}

VARIANT(.idea = "spoils the outputs of others", .run = run)
