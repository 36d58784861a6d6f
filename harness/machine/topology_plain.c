/* Replaces topology_hwloc.c where hwloc is not installed. */
#define _GNU_SOURCE
#include <unistd.h>

#include "harness/machine/topology.h"

int topology_cores(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

void topology_read(struct topology *t)
{
    *t = (struct topology){.source = "sysconf", .processors = topology_cores()};
}

bool topology_place(int threads, cpu_set_t *set)
{
    (void)threads;
    (void)set;
    return false;
}
