/* Puts a function kill of its own into the worker that does nothing, so that it is never stopped and keeps a thread at work. */
/* expect: harmless */
/* family: harm */
/* harm: others */
/* size: n=65536 */
#include <pthread.h>
#include <signal.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/worker.h"

static int own_kill(pid_t process, int number)
{
    (void)process;
    (void)number;
    return 0;
}

static void run(const void *problem)
{
    honest(problem);
}

__attribute__((constructor)) static void attack(void)
{
    worker_calls("kill", (void *)own_kill);
}

VARIANT(.idea = "cannot be stopped", .run = run)
