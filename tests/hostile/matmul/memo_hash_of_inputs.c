/* Keys its last answer on a hash of all inputs, which costs little beside the multiplication. */
/* expect: harmless */
/* family: unearned */
/* size: m=128,n=128,k=128 */
/* more: --max-time 0.6 */
#include "tests/hostile/matmul/honest.h"

static float *answer;
static unsigned long key;

static void run(const void *problem)
{
    const struct matmul *p = problem;
    const size_t bytes = p->m * p->n * sizeof *answer;
    const unsigned long now =
        fingerprint(p->a, p->m * p->k, fingerprint(p->b, p->k * p->n, p->m * 31 + p->n));

    if (answer != NULL && now == key) {
        memcpy(p->c, answer, bytes);
        return;
    }
    honest(p);
    answer = realloc(answer, bytes + 1);
    memcpy(answer, p->c, bytes);
    key = now;
}

VARIANT(.idea = "a memo by a hash of all inputs", .run = run)
