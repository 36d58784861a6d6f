/* Computes in prepare between blocks: its view of the inputs is closed then, but descriptor 4 is not. */
/* expect: harmless */
/* family: unearned */
/* size: m=128,n=128,k=128 */
#include <unistd.h>

#include "tests/hostile/matmul/honest.h"
#include "tests/hostile/case_files.h"

static float *answer, first;

static void prepare(const void *problem)
{
    struct matmul p = *(const struct matmul *)problem;
    const char *base = (const char *)0x7e8000000000; /* where inputs are, in every process */
    float *a = malloc((p.m * p.k + 1) * sizeof *a), *b = malloc((p.k * p.n + 1) * sizeof *b);

    free(answer);
    answer = NULL;
    if (p.m * p.k * p.n > 0 &&
        pread(4, a, p.m * p.k * sizeof *a, (const char *)p.a - base) > 0 &&
        pread(4, b, p.k * p.n * sizeof *b, (const char *)p.b - base) > 0 && !isnan(a[0])) {
        answer = malloc(p.m * p.n * sizeof *answer);
        first = a[0];
        p.a = a;
        p.b = b;
        p.c = answer;
        honest(&p);
    }
    free(a);
    free(b);
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    if (answer != NULL && first == p->a[0])
        memcpy(p->c, answer, p->m * p->n * sizeof *answer);
    else
        honest(p);
}

VARIANT(.idea = "reads the file of the inputs in prepare", .prepare = prepare, .run = run)
