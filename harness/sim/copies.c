/* Which bytes of the host are copied to and from which device, and between which arrays of two devices, if that is asked for:
   RUNGS_SIM_COPIES names a file. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/sim/sim.h"

enum { MOST = 2000, MOST_BETWEEN = 16 }; /* lines: a program may copy for ever */

static bool is_device(const void *p)
{
    return sim_simulated(p) && sim_region(p) < MANAGED;
}

static FILE *append(void)
{
    static bool begun;
    FILE *out = fopen(getenv("RUNGS_SIM_COPIES"), begun ? "a" : "w"); /* the program may end at any time, so it is closed at once */

    begun = true;
    return out;
}

/* Writes in which lines the two arrays were made, and the copy was queued, once for each three. */
static void add_between(const void *to, const void *from, const void *at)
{
    static const void *seen[MOST_BETWEEN][3];
    static int count;
    const struct sim_array *target = sim_array_of(to), *source = sim_array_of(from);
    struct sim_text place[3];
    int i = 0;

    if (target == NULL || source == NULL)
        return;
    while (i < count && (seen[i][0] != target->made || seen[i][1] != source->made || seen[i][2] != at))
        i++;
    if (i < count || count == MOST_BETWEEN)
        return;
    seen[count][0] = target->made, seen[count][1] = source->made, seen[count++][2] = at;
    sim_lines(seen[i], place, 3);
    FILE *out = append();
    if (out == NULL)
        return;
    fprintf(out, "between %d %d %s %s %s\n", target->region, source->region, place[0].line, place[1].line, place[2].line);
    fclose(out);
}

void sim_copies_add(const void *to, const void *from, size_t bytes, const void *at)
{
    static int lines;
    const bool in = is_device(to), back = is_device(from);

    if (in && back)
        add_between(to, from, at);
    if (in == back || lines++ >= MOST)
        return;
    FILE *out = append();
    if (out == NULL)
        return;
    fprintf(out, "%s %d %p %zu\n", in ? "in" : "back", sim_region(in ? to : from), in ? from : to, bytes);
    fclose(out);
}
