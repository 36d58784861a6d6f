/* Is right, but in the second of two processes of a run it takes twice as long, which `rungs selftest
   aa` must detect. */
/* expected: ok */
#include <stdio.h>
#include <string.h>

#include "common/saxpy.h"
#include "common/variant.h"

static int turns; /* of the work, 10 or 20; 0: not known yet */

/* Whose child a process is: the second number behind the name in parentheses. */
static long parent_of(const char *pid)
{
    char path[64], text[512] = "";
    long parent = 0;
    FILE *f;

    snprintf(path, sizeof path, "/proc/%s/stat", pid);
    if ((f = fopen(path, "r")) == NULL)
        return 0;
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    const char *end = strrchr(text, ')');
    return end != NULL && sscanf(end + 1, " %*c %ld", &parent) == 1 ? parent : 0;
}

/* Is its keeper (harness/worker/keeper.h) the first child of the run? */
static int is_first(void)
{
    const long keeper = parent_of("self");
    char pid[32], path[80];
    long run, first = 0;

    snprintf(pid, sizeof pid, "%ld", keeper);
    run = parent_of(pid);
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", run, run);
    FILE *f = fopen(path, "r");
    if (f != NULL) {
        if (fscanf(f, "%ld", &first) != 1)
            first = 0;
        fclose(f);
    }
    return first == keeper;
}

static void prepare(const void *problem)
{
    (void)problem;
    if (turns == 0)
        turns = is_first() ? 10 : 20;
}

static void run(const void *problem)
{
    const struct saxpy *p = problem;

    for (int turn = 0; turn < turns; turn++) {
        for (size_t i = 0; i < p->n; i++)
            p->z[i] = p->a * p->x[i] + p->y[i];
        __asm__ volatile("" ::: "memory"); /* or once would do */
    }
}

VARIANT(.idea = "half as fast the second time", .prepare = prepare, .run = run)
