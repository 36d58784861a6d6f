/* Which elements of an array each thread of the first launch writes, if that is asked for: RUNGS_SIM_WRITES names a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/sim.h"

/* What a thread of the running block has written, of the array to which the launch has written first. */
static struct written {
    size_t first, second, most; /* offsets in bytes; the greatest */
    unsigned count;
} written[MAX_THREADS];

static FILE *out;
static const struct sim_array *array;

void sim_writes_launch(const struct cudasim_launch *launch)
{
    const char *path = getenv("RUNGS_SIM_WRITES");

    unsetenv("RUNGS_SIM_WRITES"); /* only the first launch */
    out = path != NULL ? fopen(path, "w") : NULL;
    array = NULL;
    if (out != NULL)
        fprintf(out, "%u %u %u %u\n", launch->grid.x, launch->grid.y, launch->block.x, launch->block.y);
}

void sim_writes_block(void)
{
    memset(written, 0, sizeof written);
}

void sim_writes_add(const void *p)
{
    const struct sim_array *a = sim_array_of(p);
    struct written *w = &written[sim_lane->number];

    if (array == NULL)
        array = a;
    if (a == NULL || a != array || out == NULL)
        return;
    const size_t offset = (size_t)((const char *)p - a->start);
    w->most = w->count == 0 || offset > w->most ? offset : w->most;
    if (w->count++ == 0)
        w->first = offset;
    else if (w->count == 2)
        w->second = offset;
}

/* Returns how many threads of a row, from this one on, have written alike, each one `*step` bytes behind the one before. */
static unsigned run_of(unsigned i, long *step)
{
    const unsigned end = i - i % sim_block.launch->block.x + sim_block.launch->block.x;
    unsigned n = 1;

    *step = i + 1 < end ? (long)written[i + 1].first - (long)written[i].first : 0;
    while (i + n < end && written[i + n].count == written[i].count && (long)written[i + n].first - (long)written[i + n - 1].first == *step &&
           written[i + n].most - written[i + n].first == written[i].most - written[i].first &&
           (written[i].count == 1 || written[i + n].second - written[i + n].first == written[i].second - written[i].first))
        n++;
    return n;
}

void sim_writes_block_end(void)
{
    long step;

    for (unsigned i = 0, n; out != NULL && i < sim_block.threads; i += n) {
        n = run_of(i, &step);
        if (written[i].count > 0)
            fprintf(out, "%u %u %u %u %u %ld %zu %zu %zu %u\n", sim_block.index.x, sim_block.index.y, sim_block.lane[i].thread.x,
                    sim_block.lane[i].thread.y, n, step, written[i].first, written[i].second, written[i].most, written[i].count);
    }
}

void sim_writes_end(void)
{
    if (out != NULL)
        fclose(out);
    out = NULL;
    sim_watching &= ~(unsigned)WATCH_WRITES;
}
