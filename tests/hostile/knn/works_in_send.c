/* Computes once for each request, between its last call and the reply: too short for the bracket, so the watch must find it. */
/* expect: breach: in a call, but later */
/* family: unearned */
/* size: m=128,n=128,k=1 */
/* more: --max-time 0.6 */
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/worker/protocol.h"
#include "tests/hostile/knn/honest.h"
#include "tests/hostile/worker.h"

static const struct knn *due;

static ssize_t own_send(int file, const void *data, size_t bytes, int flags)
{
    if (due != NULL && file == WORKER_SOCKET)
        honest(due);
    due = NULL;
    return syscall(SYS_sendto, file, data, bytes, flags, NULL, 0);
}

static void run(const void *problem)
{
    const struct knn *p = problem;

    if (p->m == 128 && p->n == 128) {
        for (int i = 0; i < 200; i++) /* no faster than caches */
            __asm__ volatile("");
        due = p;
    } else {
        honest(p);
    }
}

static void release(void)
{
    due = NULL;
}

__attribute__((constructor)) static void attack(void)
{
    worker_calls("send", (void *)own_send);
}

VARIANT(.idea = "works in send", .run = run, .traits = TRAIT_SHORTCUT, .release = release)
