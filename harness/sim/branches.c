/*
 * How often the conditions of a learner's program are true and false: RUNGS_SIM_BRANCHES names a file.  The lab writes cudasim_branch()
 * around each condition: workshop/lab/conditions.c.  What a thread finds belongs to the element that it stores next.  The file has how often each
 * condition was false and true, the ways that threads have gone, and for each element the number of its way.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/sim.h"

enum { WORD = 4, MOST_CONDITIONS = 64, MOST_WAYS = 4096 };

/* Which conditions a thread has found false [0] and true [1] since its last store, a bit each. */
struct way {
    uint64_t found[2];
};

static uint64_t all[MOST_CONDITIONS][2]; /* how often conditions were false and true, in all launches */
static struct way way[MOST_WAYS];        /* way 0 is that of elements that were not stored */
static size_t ways;
static struct way since[MAX_THREADS];
static uint16_t *element; /* of the array to which this launch has stored first: the number of its way */
static size_t elements;
static const struct sim_array *array;

bool cudasim_branch(int condition, bool value)
{
    if (sim_lane != NULL && condition >= 0 && condition < MOST_CONDITIONS) {
        all[condition][value]++;
        since[sim_lane->number].found[value] |= UINT64_C(1) << condition;
    }
    return value;
}

void sim_branches_launch(void)
{
    array = NULL;
    free(element);
    element = NULL;
    elements = 0;
    ways = 1;
}

void sim_branches_block(void)
{
    memset(since, 0, sizeof since);
}

/* Returns the number of this way; 0: there are too many. */
static uint16_t number_of(const struct way *w)
{
    static size_t last;

    if (last > 0 && last < ways && memcmp(&way[last], w, sizeof *w) == 0)
        return (uint16_t)last;
    for (last = 1; last < ways; last++)
        if (memcmp(&way[last], w, sizeof *w) == 0)
            return (uint16_t)last;
    if (last == MOST_WAYS)
        return 0;
    way[last] = *w;
    ways++;
    return (uint16_t)last;
}

void sim_branches_add(const void *p, size_t bytes)
{
    const struct sim_array *a = sim_array_of(p);

    if (a != NULL && array == NULL) {
        array = a;
        elements = a->bytes / WORD;
        element = calloc(elements + 1, sizeof *element);
    }
    if (a == NULL || a != array || element == NULL)
        return;
    const size_t first = (size_t)((const char *)p - a->start) / WORD;
    const uint16_t number = number_of(&since[sim_lane->number]);
    for (size_t i = first; i < elements && i < first + (bytes + WORD - 1) / WORD; i++)
        element[i] = number;
    since[sim_lane->number] = (struct way){{0, 0}};
}

void sim_branches_end(void)
{
    FILE *out = fopen(getenv("RUNGS_SIM_BRANCHES"), "w");

    if (out == NULL)
        return;
    for (size_t i = 0; i < MOST_CONDITIONS; i++)
        fprintf(out, "%" PRIu64 " %" PRIu64 "\n", all[i][0], all[i][1]);
    fprintf(out, "%zu ways\n", ways);
    for (size_t i = 0; i < ways; i++)
        fprintf(out, "%" PRIx64 " %" PRIx64 "\n", way[i].found[0], way[i].found[1]);
    fprintf(out, "%zu elements\n", element != NULL ? elements : 0);
    for (size_t i = 0; element != NULL && i < elements; i++)
        fprintf(out, "%u\n", element[i]);
    fclose(out);
}
