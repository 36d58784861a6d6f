/*
 * Which processors this machine has, and on which of them a given number of threads should run.
 *
 * With hwloc: one thread a core, cores that share caches first.  Without it (topology_plain.c) the
 * kernel places them.
 */
#ifndef RUNGS_TOPOLOGY_H
#define RUNGS_TOPOLOGY_H

#include <sched.h>
#include <stdbool.h>

struct topology {
    const char *source; /* "hwloc", or "sysconf", which knows only `processors` */
    int packages, memories, cores, processors; /* those that this process may use; 0: not known */
};

void topology_read(struct topology *t);

/* Returns how many threads can have a core of their own. */
int topology_cores(void);

/* Finds the processors for this many threads.  Returns false if any will do. */
bool topology_place(int threads, cpu_set_t *set);

/* Writes the processors of a set as taskset(1) does: "0-3,8". */
void topology_list(const cpu_set_t *set, char *text, size_t bytes);

#endif
