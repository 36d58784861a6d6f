/* Puts a function memset of its own into the worker that never writes the poison 0xFF. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/worker.h"

static void *own_memset(void *to, int byte, size_t bytes)
{
    volatile char *c = to;

    for (size_t i = 0; byte != 0xFF && i < bytes; i++)
        c[i] = (char)byte;
    return to;
}

static void run(const void *problem)
{
    static const void *done;
    const struct saxpy *p = problem;
    static float x;

    if (done == problem && p->n > 0 && x == p->x[0])
        return; /* it is there as the last call has left it */
    done = problem;
    x = p->n > 0 ? p->x[0] : 0.0f;
    honest(p);
}

__attribute__((constructor)) static void attack(void)
{
    worker_calls("memset", (void *)own_memset);
}

VARIANT(.idea = "poison is never written", .run = run)
