/* Writes the samples itself, on the worker's own socket, once it is timed. */
/* expected: ok */
/* expected when timed: breach: ^sends its own replies over the worker's socket$ */
#include <string.h>
#include <sys/socket.h>

#include "common/saxpy.h"
#include "common/variant.h"
#include "harness/worker/protocol.h"

static void say(void)
{
    struct reply made_up;

    memset(&made_up, 0, sizeof made_up);
    made_up.seconds = 1e-3;
    made_up.samples.count = 1;
    for (int phase = 0; phase < PHASES; phase++)
        made_up.samples.time[phase][0] = 1e-9;
    (void)!send(WORKER_SOCKET, &made_up, sizeof made_up, MSG_NOSIGNAL);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int calls;

    for (size_t i = 0; i < p->n; i++)
        p->z[i] = p->a * p->x[i] + p->y[i];
    if (++calls == 2000)
        say();
}

VARIANT(.idea = "answers for the worker", .run = run)
