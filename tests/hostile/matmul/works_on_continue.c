/* Computes in the handler of SIGCONT, with which each of its turns begins; calls copy that answer until the inputs change. */
/* expect: breach */
/* family: unearned */
/* size: m=128,n=128,k=512 */
/* more: --max-time 0.6 */
#include <signal.h>

#include "tests/hostile/matmul/honest.h"

static const struct matmul *present;
static float answer[128 * 128];
static unsigned long sum;

static void work(int number)
{
    (void)number;
    if (present == NULL)
        return;
    struct matmul mine = *present;
    mine.c = answer;
    sum = fingerprint(mine.b, 128 * 512, fingerprint(mine.a, 128 * 512, 1));
    honest(&mine);
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    if (p->m != 128 || p->n != 128 || p->k != 512) {
        honest(p);
        return;
    }
    if (present == NULL || fingerprint(p->b, 128 * 512, fingerprint(p->a, 128 * 512, 1)) != sum) {
        present = p;
        work(0);
    }
    memcpy(p->c, answer, sizeof answer);
}

static void release(void)
{
    present = NULL;
}

__attribute__((constructor)) static void attack(void)
{
    signal(SIGCONT, work);
}

VARIANT(.idea = "works on SIGCONT", .run = run, .release = release)
