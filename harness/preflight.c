#define _GNU_SOURCE
#include "harness/preflight.h"

#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/machine.h"
#include "harness/telemetry.h"
#include "harness/topology.h"

static const double BUSY = 0.5; /* load average a core */

static int processors_before;

void warn(struct warnings *w, const char *format, ...)
{
    va_list arguments;

    if (w->count == MAX_WARNINGS)
        return;
    va_start(arguments, format);
    vsnprintf(w->text[w->count++], WARNING_LENGTH, format, arguments);
    va_end(arguments);
}

static int processors(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

/* --- the control group ------------------------------------------------------------------------ */

static double read_quota(const char *folder)
{
    char file[4200];
    double quota, period, allowed = INFINITY;
    FILE *f;

    snprintf(file, sizeof file, "%s/cpu.max", folder);
    f = fopen(file, "re");
    if (f == NULL)
        return INFINITY;
    if (fscanf(f, "%lf %lf", &quota, &period) == 2 && period > 0.0) /* "max 100000" is no quota */
        allowed = quota / period;
    fclose(f);
    return allowed;
}

double cgroup_processors(const char *root, const char *group)
{
    char folder[4096];
    double allowed = INFINITY;

    snprintf(folder, sizeof folder, "%s%s", root, group);
    while (strlen(folder) >= strlen(root)) {
        char *slash;
        allowed = fmin(allowed, read_quota(folder));
        slash = strrchr(folder, '/');
        if (slash == NULL || slash == folder)
            break;
        *slash = '\0';
    }
    return allowed;
}

static void check_quota(struct warnings *w, int threads)
{
    char line[4096], group[4096] = "/";
    FILE *f = fopen("/proc/self/cgroup", "re");

    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "0::%4095[^\n]", group) == 1) /* version 2, the only one with cpu.max */
            break;
    if (f != NULL)
        fclose(f);
    double allowed = cgroup_processors("/sys/fs/cgroup", group);
    if (allowed < threads)
        warn(w, "the control group leaves %.3g processors' time to %d threads", allowed, threads);
}

/* --- the rest --------------------------------------------------------------------------------- */

static void check_build(struct warnings *w)
{
    if (strstr(build_variant_flags, "-fsanitize") != NULL ||
        strstr(build_variant_flags, "-O0") != NULL)
        warn(w, "this build is for finding bugs: its times say nothing");
}

static void check_governor(struct warnings *w)
{
    char governor[32] = "";
    FILE *f = fopen("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "re");

    if (f != NULL && fscanf(f, "%31s", governor) == 1 && strcmp(governor, "performance") != 0)
        warn(w, "the processor's clock is governed by \"%s\", not \"performance\"", governor);
    if (f != NULL)
        fclose(f);
}

static void check_load(struct warnings *w)
{
    double load;

    if (getloadavg(&load, 1) == 1 && load > BUSY * processors())
        warn(w, "load average %.1f on %d processors: others are at work", load, processors());
}

void preflight(struct warnings *w, const struct devices *d, int threads)
{
    int others = d->count > 0 ? telemetry_others() : 0;

    processors_before = processors();
    check_build(w);
    check_governor(w);
    check_quota(w, threads);
    check_load(w);
    if (threads > processors())
        warn(w, "%d threads on %d processors", threads, processors());
    if (others > 0)
        warn(w, "%d other process%s on the %s", others, others == 1 ? "" : "es", d->facts[0].name);
}

void postflight(struct warnings *w)
{
    if (processors() != processors_before)
        warn(w, "there were %d processors when the run began, and %d when it ended",
             processors_before, processors());
}
