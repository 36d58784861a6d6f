/*
 * How often the conditions of a learner's program are true and false: RUNGS_SIM_BRANCHES names a file.  The lab writes cudasim_branch()
 * around each condition: workshop/lab/conditions.c.  What a thread counts belongs to the element that it stores next.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/branches.h"
#include "harness/sim/sim.h"

enum { WORD = 4, MOST_WAYS = 4096 };

static struct branches total;
static struct way way[MOST_WAYS];
static struct way since[MAX_THREADS]; /* a thread's last store */
static uint16_t *element;             /* of the array to which this launch has stored first: the number of its way */
static const struct sim_array *array;

bool cudasim_branch(int condition, bool value)
{
    if (sim_lane != NULL && condition >= 0 && condition < MOST_BRANCHES) {
        total.all[condition][value]++;
        since[sim_lane->number].found[value] |= UINT64_C(1) << condition;
    }
    return value;
}

void sim_branches_launch(void)
{
    array = NULL;
    free(element);
    element = NULL;
    total.elements = 0;
    total.ways = 1;
}

void sim_branches_block(void)
{
    memset(since, 0, sizeof since);
}

/* Returns the number of this way; 0: there are too many. */
static uint16_t number_of(const struct way *w)
{
    static size_t last;

    if (last > 0 && last < total.ways && memcmp(&way[last], w, sizeof *w) == 0)
        return (uint16_t)last;
    for (last = 1; last < total.ways; last++)
        if (memcmp(&way[last], w, sizeof *w) == 0)
            return (uint16_t)last;
    if (last == MOST_WAYS)
        return 0;
    way[last] = *w;
    total.ways++;
    return (uint16_t)last;
}

void sim_branches_add(const void *p, size_t bytes)
{
    const struct sim_array *a = sim_array_of(p);

    if (a != NULL && array == NULL) {
        array = a;
        total.elements = a->bytes / WORD;
        element = calloc(total.elements + 1, sizeof *element);
    }
    if (a == NULL || a != array || element == NULL)
        return;
    const size_t first = (size_t)((const char *)p - a->start) / WORD;
    const uint16_t number = number_of(&since[sim_lane->number]);
    for (size_t i = first; i < total.elements && i < first + (bytes + WORD - 1) / WORD; i++)
        element[i] = number;
    since[sim_lane->number] = (struct way){{0, 0}};
}

void sim_branches_end(void)
{
    FILE *out = fopen(getenv("RUNGS_SIM_BRANCHES"), "w");

    if (out == NULL)
        return;
    if (element == NULL)
        total.elements = 0;
    fwrite(&total, sizeof total, 1, out);
    fwrite(way, sizeof *way, total.ways, out);
    if (total.elements > 0)
        fwrite(element, sizeof *element, total.elements, out);
    fclose(out);
}
