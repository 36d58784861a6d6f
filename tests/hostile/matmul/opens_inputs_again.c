/* Makes the hidden inputs readable again by mprotect in prepare between blocks, and computes there. */
/* expect: harmless */
/* family: unearned */
/* size: m=128,n=128,k=128 */
#include <stdint.h>
#include <sys/mman.h>

#include "tests/hostile/matmul/honest.h"

static float *answer, first;

static void show(const void *array, size_t bytes)
{
    const uintptr_t page = (uintptr_t)array / 4096 * 4096;

    mprotect((void *)page, (uintptr_t)array + bytes - page, PROT_READ);
}

static void prepare(const void *problem)
{
    struct matmul p = *(const struct matmul *)problem;

    free(answer);
    answer = NULL;
    if (p.m * p.k * p.n == 0)
        return;
    show(p.a, p.m * p.k * sizeof *p.a);
    show(p.b, p.k * p.n * sizeof *p.b);
    if (isnan(p.a[0]))
        return;
    p.c = answer = malloc(p.m * p.n * sizeof *answer);
    first = p.a[0];
    honest(&p);
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    if (answer != NULL && first == p->a[0])
        memcpy(p->c, answer, p->m * p->n * sizeof *answer);
    else
        honest(p);
}

VARIANT(.idea = "makes hidden inputs readable", .prepare = prepare, .run = run)
