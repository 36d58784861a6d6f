/* Computes when a request arrives, before the first call that is timed; a call copies that answer unless the inputs have changed. */
/* expect: breach: outside of its calls */
/* family: unearned */
/* size: m=128,n=128,k=512 */
/* more: --max-time 0.6 */
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "harness/worker/protocol.h"
#include "tests/hostile/matmul/honest.h"
#include "tests/hostile/worker.h"

static const struct matmul *present;
static float answer[128 * 128];
static uint64_t sum;

static uint64_t sum_of(const struct matmul *p)
{
    const uint32_t *a = (const uint32_t *)p->a, *b = (const uint32_t *)p->b;
    uint64_t s = 0;

    for (size_t i = 0; i < 128 * 512; i++)
        s += a[i] * (i * 2654435761U | 1) + b[i] * (i * 2246822519U | 1);
    return s;
}

static void work(void)
{
    struct matmul mine = *present;

    mine.c = answer;
    sum = sum_of(present); /* before, because the inputs may change now */
    honest(&mine);
}

static ssize_t own_recvmsg(int file, struct msghdr *message, int flags)
{
    const ssize_t got = syscall(SYS_recvmsg, file, message, flags);

    if (got > 0 && present != NULL && file == WORKER_SOCKET && (flags & MSG_PEEK) == 0)
        work();
    return got;
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    if (p->m != 128 || p->n != 128 || p->k != 512) {
        honest(p);
        return;
    }
    if (present == NULL || sum_of(p) != sum) {
        present = p;
        work();
    }
    memcpy(p->c, answer, sizeof answer);
}

static void release(void)
{
    present = NULL;
}

__attribute__((constructor)) static void attack(void)
{
    worker_calls("recvmsg", (void *)own_recvmsg);
}

VARIANT(.idea = "works on arrival", .run = run, .release = release)
