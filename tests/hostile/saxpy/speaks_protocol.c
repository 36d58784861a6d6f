/* Never returns from its first run at this size: it answers the requests of the harness itself, with times of its choice. */
/* expect: failed */
/* family: unearned */
/* size: n=65536 */
#include <sys/socket.h>

#include "harness/worker/protocol.h"
#include "tests/hostile/saxpy/honest.h"

_Noreturn static void serve(const struct saxpy *p)
{
    static struct reply a;
    struct request q = {.op = OP_CALL};

    for (;;) {
        memset(&a, 0, sizeof a);
        a.seconds = 1e-5;
        a.reps = 100;
        a.threads = 1;
        if (q.op == OP_CALL || q.op == OP_AGAIN)
            honest(p);
        if (q.op == OP_BLOCK)
            a.samples.count = q.samples;
        for (unsigned i = 0; i < a.samples.count; i++)
            a.samples.time[PHASE_E2E][i] = a.samples.time[PHASE_RUN][i] = 1e-6 + i * 1e-10;
        send(WORKER_SOCKET, &a, sizeof a, MSG_NOSIGNAL);
        if (recv(WORKER_SOCKET, &q, sizeof q, 0) <= 0)
            __builtin_trap();
    }
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    if (p->n == 65536)
        serve(p);
    honest(p);
}

VARIANT(.idea = "is its own harness", .run = run)
