/* Copies the answer of a sibling through /proc/PID/fd, if one element of it is right. */
/* expect: harmless */
/* family: foresees */
/* size: m=128,n=128,k=128 */
#include <fcntl.h>

#include "tests/hostile/matmul/honest.h"
#include "tests/hostile/sibling.h"

static int found;

static void copy(pid_t sibling, const void *context)
{
    const struct matmul *p = context;
    char path[64];
    float sum = 0.0f;

    for (size_t l = 0; l < p->k; l++)
        sum += p->a[l] * p->b[l * p->n];
    for (int number = 3; number < 40 && !found; number++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)sibling, number);
        const int file = open(path, O_RDONLY | O_NONBLOCK);
        if (file < 0)
            continue;
        if (pread(file, p->c, p->m * p->n * sizeof *p->c, (char *)p->c - (char *)0x7ea004a00000) > 0)
            found = p->c[0] == sum;
        close(file);
    }
}

static void run(const void *problem)
{
    const struct matmul *p = problem;

    found = 0;
    if (p->m == 128 && isnan(p->c[0])) {
        copy(the_parent(), p); /* which has the outputs of all open */
        for_siblings(getppid(), copy, p);
    }
    if (!found && (p->m != 128 || isnan(p->c[0])))
        honest(p);
}

VARIANT(.idea = "copies the answer of another", .run = run)
