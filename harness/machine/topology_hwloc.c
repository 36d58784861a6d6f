#define _GNU_SOURCE
#include <hwloc.h>
#include <hwloc/glibc-sched.h>

#include "harness/machine/topology.h"

/* Loads the topology once; it stays loaded for the life of the process. */
/* needs: hwloc */
static hwloc_topology_t machine(void)
{
    static hwloc_topology_t topology;
    static bool tried;

    if (tried)
        return topology;
    tried = true;
    if (hwloc_topology_init(&topology) != 0)
        return NULL;
    hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING);
    hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    if (hwloc_topology_load(topology) != 0) {
        hwloc_topology_destroy(topology);
        topology = NULL;
    }
    return topology;
}

static int count(hwloc_obj_type_t type)
{
    int n = machine() != NULL ? hwloc_get_nbobjs_by_type(machine(), type) : 0;

    return n > 0 ? n : 0;
}

void topology_read(struct topology *t)
{
    *t = (struct topology){.source = "hwloc",
                           .packages = count(HWLOC_OBJ_PACKAGE),
                           .memories = count(HWLOC_OBJ_NUMANODE),
                           .cores = topology_cores(),
                           .processors = count(HWLOC_OBJ_PU)};
}

/* Some virtual machines do not report cores. */
int topology_cores(void)
{
    int cores = count(HWLOC_OBJ_CORE);

    if (cores == 0)
        cores = count(HWLOC_OBJ_PU);
    return cores > 0 ? cores : 1;
}

bool topology_place(int threads, cpu_set_t *set)
{
    hwloc_bitmap_t chosen = hwloc_bitmap_alloc();
    int cores = topology_cores();
    hwloc_obj_type_t unit = count(HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    bool placed = machine() != NULL && chosen != NULL;

    /* A core's second hardware thread is used only when all cores have one thread. */
    for (int i = 0; placed && i < threads; i++) {
        hwloc_obj_t core = hwloc_get_obj_by_type(machine(), unit, (unsigned)(i % cores));
        int processor = -1;
        for (int nth = i / cores; nth >= 0 && core != NULL; nth--)
            processor = hwloc_bitmap_next(core->cpuset, processor);
        if (processor < 0) /* more threads than processors: they may use all */
            hwloc_bitmap_copy(chosen, hwloc_topology_get_topology_cpuset(machine()));
        else
            hwloc_bitmap_set(chosen, (unsigned)processor);
    }
    placed = placed && hwloc_cpuset_to_glibc_sched_affinity(machine(), chosen, set,
                                                            sizeof *set) == 0;
    hwloc_bitmap_free(chosen);
    return placed;
}
