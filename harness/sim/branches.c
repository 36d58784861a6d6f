/*
 * How often the conditions of a learner's program are true and false: RUNGS_SIM_BRANCHES names a file.  The lab writes cudasim_branch()
 * around each condition: workshop/lab/conditions.c.  What a thread counts belongs to the element that it stores next.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sim/branches.h"
#include "harness/sim/sim.h"

enum { WORD = 4 };

static struct branches total;
static struct way since[MAX_THREADS]; /* a thread's last store */
static struct way *element;           /* of the array to which this launch has stored first */
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
}

void sim_branches_block(void)
{
    memset(since, 0, sizeof since);
}

void sim_branches_add(const void *p, size_t bytes)
{
    const struct sim_array *a = sim_array_of(p);

    if (a != NULL && array == NULL && element == NULL) {
        array = a;
        total.elements = a->bytes / WORD;
        element = calloc(total.elements + 1, sizeof *element);
    }
    if (a == NULL || a != array || element == NULL)
        return;
    const size_t first = (size_t)((const char *)p - a->start) / WORD;
    struct way *own = &since[sim_lane->number];
    own->stored = true;
    for (size_t i = first; i < total.elements && i < first + (bytes + WORD - 1) / WORD; i++)
        element[i] = *own;
    *own = (struct way){.stored = false};
}

void sim_branches_end(void)
{
    FILE *out = fopen(getenv("RUNGS_SIM_BRANCHES"), "w");

    if (out == NULL)
        return;
    if (element == NULL)
        total.elements = 0;
    fwrite(&total, sizeof total, 1, out);
    if (total.elements > 0)
        fwrite(element, sizeof *element, total.elements, out);
    fclose(out);
}
