/* Copies the answer of a sibling through process_vm_readv: its arrays are at the same address there. */
/* expect: harmless */
/* family: foresees */
/* size: m=128,n=128,k=128 */
#define _GNU_SOURCE
#include <sys/uio.h>

#include "tests/hostile/matmul/honest.h"
#include "tests/hostile/sibling.h"

static int found;

static void copy(pid_t sibling, const void *context)
{
    const struct matmul *p = context;
    const struct iovec place = {p->c, p->m * p->n * sizeof *p->c};
    float sum = 0.0f;

    if (found || process_vm_readv(sibling, &place, 1, &place, 1, 0) <= 0)
        return;
    for (size_t l = 0; l < p->k; l++)
        sum += p->a[l] * p->b[l * p->n];
    found = p->c[0] == sum;
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    found = 0;
    if (p->m == 128 && isnan(p->c[0]))
        for_siblings(getppid(), copy, p);
    if (!found && (p->m != 128 || isnan(p->c[0])))
        honest(p);
}

VARIANT(.idea = "copies from the memory of another", .run = run)
