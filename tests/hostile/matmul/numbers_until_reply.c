/* Computes once for each request, on the way to the reply; calls write numbers that are no answer, so that no other value stays in the
   output. */
/* expect: breach */
/* family: unearned */
/* size: m=128,n=128,k=512 */
/* more: --max-time 0.6 */
#include "tests/hostile/matmul/honest.h"
#include "tests/hostile/until_reply.h"

static void late(const void *problem)
{
    honest(problem);
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    if (p->m != 128 || p->n != 128 || p->k != 512) {
        honest(p);
        return;
    }
    due = p;
    memcpy(p->c, p->a, 128 * 128 * sizeof *p->c);
}

VARIANT(.idea = "numbers until the reply", .run = run, .release = release)
