/* Starts a process that shares its memory but is no thread of its own; it computes half of each product, and no account of
   the worker has its time. */
/* expect: breach: process of its own */
/* family: unearned */
/* size: m=256,n=256,k=256 */
/* more: --max-time 1 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/hostile/matmul/honest.h"

static _Atomic(const struct matmul *) work;
static atomic_int helping, stop;
static pid_t process;

static int helper(void *unused)
{
    (void)unused;
    helping = 1;
    while (!stop) {
        const struct matmul *p = work;

        if (p == NULL)
            continue;
        for (size_t i = p->m / 2; i < p->m; i++)
            honest_row(p, i);
        work = NULL;
    }
    _exit(0);
}

static void run(const void *problem)
{
    const struct matmul *p = problem;
    if (p->m < 256) {
        honest(p);
        return;
    }
    if (process == 0) {
        char *stack = malloc(1 << 20);
        process = clone(helper, stack + (1 << 20) - 64, CLONE_VM | SIGCHLD, NULL);
        for (int i = 0; i < 1000000 && !helping; i++)
            __asm__ volatile("pause");
    }
    if (!helping) {
        honest(p);
        return;
    }
    work = p;
    for (size_t i = 0; i < p->m / 2; i++)
        honest_row(p, i);
    while (work != NULL)
        ;
}

static void release(void)
{
    stop = 1;
    if (process > 0)
        waitpid(process, NULL, 0);
    process = helping = stop = 0;
}

VARIANT(.idea = "a process that is no thread", .run = run, .release = release)
