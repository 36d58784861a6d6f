/* Puts a function poll of its own into the worker that always says that there is something to read. */
/* expect: harmless */
/* family: harm */
/* harm: words */
/* size: n=65536 */
#include <poll.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/worker.h"

static int own_poll(struct pollfd *files, nfds_t count, int timeout)
{
    (void)timeout;
    for (nfds_t i = 0; i < count; i++)
        files[i].revents = files[i].events;
    return (int)count;
}

static void run(const void *problem)
{
    honest(problem);
}

__attribute__((constructor)) static void attack(void)
{
    worker_calls("poll", (void *)own_poll);
}

VARIANT(.idea = "everything is ready", .run = run)
