#define _GNU_SOURCE
#include "harness/machine/environment.h"

#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clock.h"
#include "harness/machine/machine.h"
#include "harness/machine/telemetry.h"
#include "harness/machine/topology.h"

static const double BUSY = 0.5;       /* load average for each core */
static const double HELD_BACK = 0.01; /* share of a run's time */
#define CGROUPS "/sys/fs/cgroup"

/* The state when the run began. */
static struct {
    double time, allowed, held_back;
    int processors, others;
    char device[96];
} before;

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
    double quota, period;

    snprintf(file, sizeof file, "%s/cpu.max", folder); /* "max 100000" means no quota */
    const bool is = machine_scan(file, "%lf %lf", &quota, &period) == 2 && period > 0.0;
    return is ? quota / period : INFINITY;
}

/* Calls `read` for the group and every group above it, up to the root. */
static double on_the_way_up(const char *root, const char *group, double of_none,
                            double (*read)(const char *folder), double (*choose)(double, double))
{
    char folder[4096];
    double chosen = of_none;

    snprintf(folder, sizeof folder, "%s%s", root, group);
    while (strlen(folder) >= strlen(root)) {
        char *slash;
        chosen = choose(chosen, read(folder));
        slash = strrchr(folder, '/');
        if (slash == NULL || slash == folder)
            break;
        *slash = '\0';
    }
    return chosen;
}

double cgroup_processors(const char *root, const char *group)
{
    return on_the_way_up(root, group, INFINITY, read_quota, fmin);
}

static double read_held_back(const char *folder)
{
    char file[4200];
    double microseconds = 0.0;

    snprintf(file, sizeof file, "%s/cpu.stat", folder);
    (void)machine_scan(file, "throttled_usec %lf", &microseconds);
    return microseconds * 1e-6;
}

double cgroup_held_back(const char *root, const char *group)
{
    return on_the_way_up(root, group, 0.0, read_held_back, fmax);
}

/* Returns the control group of this process, of version 2: only that has these files. */
static const char *own_group(void)
{
    static char group[4096];

    strcpy(group, "/");
    (void)machine_scan("/proc/self/cgroup", "0::%4095[^\n]", group);
    return group;
}

static void check_quota(struct warnings *w, int threads)
{
    before.allowed = cgroup_processors(CGROUPS, own_group());
    before.held_back = cgroup_held_back(CGROUPS, own_group());
    if (before.allowed < threads)
        warn(w, "%d threads, but the control group allows %.3g processors", threads,
             before.allowed);
}

static void describe_quota(double processors, char *text, size_t bytes)
{
    if (isfinite(processors))
        snprintf(text, bytes, "%.3g processors", processors);
    else
        snprintf(text, bytes, "all processors");
}

void check_quota_kept(struct warnings *w, double was, double is, double held_back, double wall)
{
    char then[48], now[48];

    if (was != is) {
        describe_quota(was, then, sizeof then);
        describe_quota(is, now, sizeof now);
        warn(w, "the control group allowed %s when the run began, and %s when it ended", then, now);
    }
    if (held_back > HELD_BACK * wall)
        warn(w, "the control group throttled the run for %.3g s of %.3g s", held_back, wall);
}

/* --- the rest --------------------------------------------------------------------------------- */

static void check_build(struct warnings *w)
{
    if (strstr(build_variant_flags, "-fsanitize") != NULL ||
        strstr(build_variant_flags, "-O0") != NULL)
        warn(w, "this is a debug or sanitizer build: its times mean nothing");
}

static void check_governor(struct warnings *w)
{
    static const char file[] = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    char governor[32];

    if (machine_scan(file, "%31s", governor) == 1 && strcmp(governor, "performance") != 0)
        warn(w, "the CPU frequency governor is \"%s\", not \"performance\"", governor);
}

static void check_load(struct warnings *w)
{
    double load;

    if (getloadavg(&load, 1) == 1 && load > BUSY * processors())
        warn(w, "load average %.1f on %d processors: other processes are running", load, processors());
}

void preflight(struct warnings *w, const struct devices *d, int threads)
{
    int others = d->count > 0 ? telemetry_others() : 0;

    before.time = clock_now();
    before.processors = processors();
    before.others = others;
    snprintf(before.device, sizeof before.device, "%s", d->count > 0 ? d->facts[0].name : "");
    check_build(w);
    check_governor(w);
    check_quota(w, threads);
    check_load(w);
    if (threads > processors())
        warn(w, "%d threads share %d processors", threads, processors());
    if (others > 0)
        warn(w, "%d other process%s on the %s", others, others == 1 ? "" : "es", d->facts[0].name);
}

void postflight(struct warnings *w)
{
    int others = before.device[0] != '\0' ? telemetry_others() : 0; /* this run's workers have ended */

    if (processors() != before.processors)
        warn(w, "there were %d processors when the run began, and %d when it ended",
             before.processors, processors());
    check_quota_kept(w, before.allowed, cgroup_processors(CGROUPS, own_group()),
                     cgroup_held_back(CGROUPS, own_group()) - before.held_back,
                     clock_now() - before.time);
    if (others > before.others)
        warn(w, "%d other process%s started on the %s during the run", others - before.others,
             others - before.others == 1 ? "" : "es", before.device);
}
