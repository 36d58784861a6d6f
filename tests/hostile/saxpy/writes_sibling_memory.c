/* Overwrites the stacks of the other workers with zeros by process_vm_writev. */
/* expect: harmless */
/* family: harm */
/* harm: others */
/* size: n=65536 */
#define _GNU_SOURCE
#include <sys/uio.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static void harm(pid_t sibling, const void *context)
{
    (void)context;
    char path[64], line[300];
    static char junk[65536];
    unsigned long from, to;

    snprintf(path, sizeof path, "/proc/%d/maps", (int)sibling);
    FILE *maps = fopen(path, "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (strstr(line, "[stack]") != NULL && sscanf(line, "%lx-%lx", &from, &to) == 2) {
            const struct iovec mine = {junk, to - from < sizeof junk ? to - from : sizeof junk},
                               its = {(void *)(to - mine.iov_len), mine.iov_len};
            process_vm_writev(sibling, &mine, 1, &its, 1, 0);
        }
    if (maps != NULL)
        fclose(maps);
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;
    static int calls;

    if (p->n == 65536 && calls++ < 3)
        for_siblings(getppid(), harm, p);
    honest(p);
}

VARIANT(.idea = "writes the memory of others", .run = run)
