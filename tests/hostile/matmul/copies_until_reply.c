/* Computes once for each request, on the way to the reply; calls copy the answer of the last request, which is right for the old
   inputs, so that no other value stays in the output. */
/* expect: breach */
/* family: unearned */
/* size: m=128,n=128,k=512 */
/* more: --max-time 0.6 */
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/worker/protocol.h"
#include "tests/hostile/matmul/honest.h"
#include "tests/hostile/worker.h"

static const struct matmul *due;
static float answer[128 * 128];

static ssize_t own_send(int file, const void *data, size_t bytes, int flags)
{
    if (due != NULL && file == WORKER_SOCKET) {
        honest(due);
        memcpy(answer, due->c, sizeof answer);
    }
    due = NULL;
    return syscall(SYS_sendto, file, data, bytes, flags, NULL, 0);
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    if (p->m != 128 || p->n != 128 || p->k != 512) {
        honest(p);
        return;
    }
    due = p;
    memcpy(p->c, answer, sizeof answer);
}

static void release(void)
{
    due = NULL;
}

__attribute__((constructor)) static void attack(void)
{
    worker_calls("send", (void *)own_send);
}

VARIANT(.idea = "copies until the reply", .run = run, .release = release)
