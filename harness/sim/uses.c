/* Which arrays each launch and copy reads and writes, in their order, if that is asked for: RUNGS_SIM_USES names a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/counters.h"

enum { MOST_ARRAYS = 64, MOST_WORK = 256 };

/* What the running kernel does to an array. */
static struct used {
    const struct sim_array *array;
    bool reads, writes;
    bool empty; /* it has read a word with all bits set: as memory was made, or as cudaMemset has left it */
} used[MOST_ARRAYS];

static size_t count, last, works;
static FILE *out;

/* Returns the file; NULL: nothing is asked for, or enough is written. */
static FILE *file(void)
{
    static bool asked;
    const char *path = getenv("RUNGS_SIM_USES");

    if (!asked && path != NULL)
        out = fopen(path, "w");
    asked = true;
    return works < MOST_WORK ? out : NULL;
}

void sim_uses_phase(const char *name)
{
    if (file() != NULL)
        fprintf(out, "phase %s\n", name);
}

void sim_uses_launch(void)
{
    count = last = 0;
}

void sim_uses_add(const void *p, size_t bytes, bool writes)
{
    const uint32_t empty = UINT32_MAX;

    if (count == 0 || (size_t)((const char *)p - used[last].array->start) >= used[last].array->bytes) {
        const struct sim_array *a = sim_array_of(p);
        for (last = 0; last < count && used[last].array != a; last++)
            ;
        if (a == NULL || last == MOST_ARRAYS) {
            last = 0;
            return;
        }
        if (last == count)
            used[count++] = (struct used){.array = a};
    }
    struct used *u = &used[last];
    u->writes = u->writes || writes;
    u->reads = u->reads || !writes;
    u->empty = u->empty || (!writes && bytes == sizeof empty && memcmp(p, &empty, sizeof empty) == 0);
}

/* Writes "3 kernel reads file.cu:12 1 run": the number of the work, what it is, what it does, where the array was made, its number, and the
   phase in which the work was queued. */
static void tell(const char *what, const char *does, const struct sim_array *a)
{
    static const struct sim_array *known[MOST_ARRAYS];
    static struct sim_text lines[MOST_ARRAYS]; /* finding a line takes long */
    size_t i = 0;

    if (a == NULL)
        return;
    while (i < MOST_ARRAYS - 1 && known[i] != NULL && known[i] != a)
        i++;
    if (known[i] != a)
        snprintf(lines[i].line, sizeof lines[i].line, "%s", sim_line(a->made));
    known[i] = a;
    fprintf(out, "%zu %s %s %s %zu %s\n", works, what, does, lines[i].line, i, sim_phase_name(sim_acting_phase));
    fflush(out); /* a mistake ends the process */
}

void sim_uses_end(void)
{
    if (file() == NULL)
        return;
    works++;
    if (count == 0)
        fprintf(out, "%zu kernel nothing - 0\n", works);
    for (size_t i = 0; i < count; i++) {
        if (used[i].reads)
            tell("kernel", used[i].empty ? "reads-empty" : "reads", used[i].array);
        if (used[i].writes)
            tell("kernel", "writes", used[i].array);
    }
}

void sim_uses_copy(const void *to, const void *from)
{
    if (file() == NULL)
        return;
    works++;
    if (from != NULL && sim_simulated(from))
        tell("copy", "reads", sim_array_of(from));
    if (sim_simulated(to))
        tell(from != NULL ? "copy" : "set", "writes", sim_array_of(to));
}
