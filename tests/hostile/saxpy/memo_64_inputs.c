/* Keys its last answer on 64 of the inputs, and hands it out again when these are the same. */
/* expect: harmless */
/* family: unearned */
/* size: n=65536 */
#include "tests/hostile/saxpy/honest.h"

static float key[64], *answer;
static size_t length;

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    const size_t step = p->n / 64;
    int same = step > 0 && length == p->n;

    for (size_t i = 0; i < 64 && same; i++)
        same = p->x[i * step] == key[i];
    if (same && p->z[0] == answer[0])
        return;
    if (same) {
        memcpy(p->z, answer, p->n * sizeof *answer);
        return;
    }
    honest(p);
    if (length != p->n)
        answer = realloc(answer, (p->n + 1) * sizeof *answer);
    length = p->n;
    memcpy(answer, p->z, p->n * sizeof *answer);
    for (size_t i = 0; i < 64 && step > 0; i++)
        key[i] = p->x[i * step];
}

VARIANT(.idea = "a memo by 64 inputs", .run = run)
