/* Which bytes of the host are copied to and from which device, if that is asked for: RUNGS_SIM_COPIES names a file. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/sim/sim.h"

enum { MOST = 2000 }; /* lines: a program may copy for ever */

static bool is_device(const void *p)
{
    return sim_simulated(p) && sim_region(p) < MANAGED;
}

void sim_copies_add(const void *to, const void *from, size_t bytes)
{
    static int lines;
    const bool in = is_device(to), back = is_device(from);

    if (in == back || lines == MOST)
        return;
    FILE *out = fopen(getenv("RUNGS_SIM_COPIES"), lines++ == 0 ? "w" : "a"); /* the program may end at any time */
    if (out == NULL)
        return;
    fprintf(out, "%s %d %p %zu\n", in ? "in" : "back", sim_region(in ? to : from), in ? from : to, bytes);
    fclose(out);
}
