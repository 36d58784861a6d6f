/* Computes once for each request, on the way to the reply; calls copy the answer of the last request, which is right for the old
   inputs, so that no other value stays in the output. */
/* expect: breach */
/* family: unearned */
/* size: m=128,n=128,k=512 */
/* more: --max-time 0.6 */
#include "tests/hostile/matmul/honest.h"
#include "tests/hostile/until_reply.h"

static float answer[128 * 128];

static void late(const void *problem)
{
    honest(problem);
    memcpy(answer, ((const struct matmul *)problem)->c, sizeof answer);
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

VARIANT(.idea = "copies until the reply", .run = run, .release = release)
