/* Right, but of two processes of one run the second takes twice as long: what `rungs selftest aa`
   must notice. */
/* expected: ok */
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/saxpy.h"
#include "common/variant.h"

static int turns; /* of the work, 10 or 20; 0: not known yet */

/* The first to take a name that both want, and that belongs to their parent, is the first. */
static int is_first(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int taken = socket(AF_UNIX, SOCK_DGRAM, 0);

    snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "rungs-slow-twin-%ld", (long)getppid());
    return bind(taken, (struct sockaddr *)&name, sizeof name) == 0; /* kept up to the end */
}

static void prepare(const void *problem)
{
    (void)problem;
    if (turns == 0)
        turns = is_first() ? 10 : 20;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (int turn = 0; turn < turns; turn++) {
        for (size_t i = 0; i < p->n; i++)
            p->z[i] = p->a * p->x[i] + p->y[i];
        __asm__ volatile("" ::: "memory"); /* or once would do */
    }
}

VARIANT(.idea = "half as fast the second time", .prepare = prepare, .run = run)
