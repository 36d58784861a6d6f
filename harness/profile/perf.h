/* What perf counts while a variant runs on the CPU. */
#ifndef RUNGS_PERF_H
#define RUNGS_PERF_H

#include <stdio.h>

#include "harness/base/error.h"

enum perf_event {
    P_CYCLES, P_INSTRUCTIONS, P_BRANCHES, P_BRANCH_MISSES, P_CACHE_READS, P_CACHE_MISSES,
    P_TASK_CLOCK, /* milliseconds of all threads */
    P_FAULTS, P_SWITCHES, P_MIGRATIONS, P_EVENTS
};

struct perf_counts {
    double of[P_EVENTS]; /* NaN: this machine does not count it */
};

/* Lists the events for `perf stat -e`, separated by commas. */
void perf_events(char *text, size_t bytes);

/* Reads the file that `perf stat -x, -o` wrote. */
bool perf_read(struct perf_counts *p, const char *file, struct error *error);

/* Returns whether the machine counts instructions and cycles.  Many virtual machines do not. */
bool perf_has_hardware(const struct perf_counts *p);

/* Prints the counts of `calls` calls, which took `seconds` in all. */
void perf_print(FILE *out, const struct perf_counts *p, double calls, double seconds);

#endif
