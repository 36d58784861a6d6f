/* Warnings about conditions that make times unreliable.  They are printed above the tables and
   recorded; they never stop a run. */
#ifndef RUNGS_ENVIRONMENT_H
#define RUNGS_ENVIRONMENT_H

#include <stddef.h>

#include "harness/machine/devices.h"

enum { MAX_WARNINGS = 12, WARNING_LENGTH = 160 };

struct warnings {
    size_t count;
    char text[MAX_WARNINGS][WARNING_LENGTH];
};

void warn(struct warnings *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Checks before the first worker of a run starts, after telemetry_open(). */
void preflight(struct warnings *w, const struct devices *d, int threads);

/* Checks after the last worker has ended: has the machine changed during the run? */
void postflight(struct warnings *w);

/* Returns how many processors' worth of time a control group may use, by its file cpu.max and
   those of the groups above it, up to `root` ("/sys/fs/cgroup"); INFINITY: no limit. */
double cgroup_processors(const char *root, const char *group);

/* Returns for how many seconds such a group has been throttled so far, the longest of these
   groups; 0: not known. */
double cgroup_held_back(const char *root, const char *group);

/* Warns if a quota changed or throttled the run: processors before and after, seconds throttled
   out of `wall` seconds. */
void check_quota_kept(struct warnings *w, double before, double after, double held_back,
                      double wall);

#endif
