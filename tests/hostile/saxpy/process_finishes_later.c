/* Hands the work to a child process, which shares the pages of the output, and returns at once. */
/* expect: harmless */
/* family: unearned */
/* size: n=16384 */
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"

static atomic_int *work;
static pid_t child;

static void prepare(const void *problem)
{
    work = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    child = fork();
    while (child == 0)
        if (atomic_exchange(work, 0))
            honest(problem);
}

static void run(const void *problem)
{
    if (((const struct saxpy *)problem)->n < 16384)
        honest(problem);
    else
        *work = 1;
}

static void release(void)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    munmap(work, 4096);
}

VARIANT(.idea = "a child finishes it later", .prepare = prepare, .run = run, .release = release)
