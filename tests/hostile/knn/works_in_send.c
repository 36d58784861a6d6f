/* Computes once for each request, between its last call and the reply: too short for the bracket, so the watch must find it. */
/* expect: breach: in a call, but later */
/* family: unearned */
/* size: m=128,n=128,k=1 */
/* more: --max-time 0.6 */
#include "tests/hostile/knn/honest.h"
#include "tests/hostile/until_reply.h"

static void late(const void *problem)
{
    honest(problem);
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

VARIANT(.idea = "works in send", .run = run, .traits = TRAIT_SHORTCUT, .release = release)
