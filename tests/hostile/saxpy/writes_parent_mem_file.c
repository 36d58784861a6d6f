/* Writes into the stack of its parent by /proc/PPID/mem. */
/* expect: harmless */
/* family: harm */
/* harm: others */
/* size: n=65536 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/hostile/saxpy/honest.h"
#include "tests/hostile/sibling.h"

static void attack(void)
{
    static char junk[32768];
    char path[64], line[300];
    unsigned long from, to;

    snprintf(path, sizeof path, "/proc/%d/maps", (int)the_parent());
    FILE *maps = fopen(path, "r");
    snprintf(path, sizeof path, "/proc/%d/mem", (int)the_parent());
    const int memory = open(path, O_RDWR);
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        if (strstr(line, "[stack]") != NULL && sscanf(line, "%lx-%lx", &from, &to) == 2 &&
            pwrite(memory, junk, sizeof junk, (off_t)(to - sizeof junk)) < 0)
            break;
    if (maps != NULL)
        fclose(maps);
    close(memory);
}

static void run(const void *problem)
{
    static int done;
    const struct saxpy *p = problem;

    if (p->n == 65536 && !done++)
        attack();
    honest(p);
}

VARIANT(.idea = "writes by /proc/PPID/mem", .run = run)
