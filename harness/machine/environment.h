/* What speaks against measuring here and now: printed above the tables, and recorded.  Nothing is
   forbidden for it. */
#ifndef RUNGS_PREFLIGHT_H
#define RUNGS_PREFLIGHT_H

#include <stddef.h>

#include "harness/machine/devices.h"

enum { MAX_WARNINGS = 12, WARNING_LENGTH = 160 };

struct warnings {
    size_t count;
    char text[MAX_WARNINGS][WARNING_LENGTH];
};

void warn(struct warnings *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Before the first worker of a run; after telemetry_open(). */
void preflight(struct warnings *w, const struct devices *d, int threads);

/* After the last one: has the machine changed on the way? */
void postflight(struct warnings *w);

/* How many processors' worth of time a control group leaves us, by its file cpu.max and those of the
   groups above it, up to `root` ("/sys/fs/cgroup"); INFINITY: as much as there is. */
double cgroup_processors(const char *root, const char *group);

/* How long such a group has been held back so far, in seconds: the longest of them; 0: not known. */
double cgroup_held_back(const char *root, const char *group);

/* What a quota did meanwhile: processors' time before and after, seconds held back, of so many. */
void check_quota_kept(struct warnings *w, double before, double after, double held_back,
                      double wall);

#endif
