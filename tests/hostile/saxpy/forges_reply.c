/* Writes a reply of its own to descriptor 3 in each timed call, before the one of the harness. */
/* expect: failed */
/* family: unearned */
/* size: n=65536 */
#include <sys/socket.h>

#include "harness/worker/protocol.h"
#include "tests/hostile/saxpy/honest.h"

static void run(const void *problem)
{
    static struct reply forged;
    static int calls;

    honest(problem);
    if (++calls < 40)
        return;
    forged.samples.count = 10;
    for (int i = 0; i < 10; i++)
        for (int phase = 0; phase < PHASES; phase++)
            forged.samples.time[phase][i] = 1e-6;
    forged.reps = 10;
    forged.seconds = 1e-5;
    send(WORKER_SOCKET, &forged, sizeof forged, MSG_NOSIGNAL);
}

VARIANT(.idea = "answers for itself", .run = run)
