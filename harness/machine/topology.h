/*
 * Which processors this machine has, and on which of them so many threads should run.
 *
 * With hwloc: one thread a core, cores that share caches first.  Without (topology_plain.c):
 * wherever the kernel likes.
 */
#ifndef RUNGS_TOPOLOGY_H
#define RUNGS_TOPOLOGY_H

#include <sched.h>
#include <stdbool.h>

struct topology {
    const char *source; /* "hwloc", or "sysconf", which knows no more than `processors` */
    int packages, memories, cores, processors; /* that this process may use; 0: not known */
};

void topology_read(struct topology *t);

/* How many threads have a core of their own. */
int topology_cores(void);

/* The processors for so many threads.  False: any. */
bool topology_place(int threads, cpu_set_t *set);

/* "0-3,8": the processors of a set, as taskset(1) writes them. */
void topology_list(const cpu_set_t *set, char *text, size_t bytes);

#endif
