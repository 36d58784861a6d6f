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

/* Writes in which lines the two arrays were made, and the copy was queued, and where in the arrays it begins, and how long they are. */
static void add_between(const void *to, const void *from, const void *at)
{
    static struct {
        const void *key[3];
        struct sim_text place[3];
    } seen[MOST_BETWEEN];
    static int count, lines;
    const struct sim_array *target = sim_array_of(to), *source = sim_array_of(from);
    int i = 0;

    if (target == NULL || source == NULL || lines++ >= MOST)
        return;
    while (i < count && (seen[i].key[0] != target->made || seen[i].key[1] != source->made || seen[i].key[2] != at))
        i++;
    if (i == MOST_BETWEEN)
        return;
    if (i == count) {
        seen[i].key[0] = target->made, seen[i].key[1] = source->made, seen[i].key[2] = at;
        sim_lines(seen[i].key, seen[i].place, 3);
        count++;
    }
    FILE *out = append();
    if (out == NULL)
        return;
    fprintf(out, "between %d %d %s %s %s %zu %zu %zu %zu\n", target->region, source->region, seen[i].place[0].line, seen[i].place[1].line,
            seen[i].place[2].line, (size_t)((const char *)to - target->start), target->bytes, (size_t)((const char *)from - source->start),
            source->bytes);
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
