#define _GNU_SOURCE
#include "harness/machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/device.h"
#include "harness/clock.h"
#include "harness/memory.h"
#include "harness/stats.h"
#include "harness/topology.h"

static double memory_total(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

void machine_describe(char *text, size_t bytes)
{
    struct utsname system;
    struct device_facts cpu;

    uname(&system);
    device_cpu.facts(&cpu, 1);
    snprintf(text, bytes, "%s, %d core%s, %.1f GiB, %s %s", cpu.name, topology_cores(),
             topology_cores() == 1 ? "" : "s", memory_total() / 0x1p30, system.sysname,
             system.release);
}

/* The first line of a file of the kernel's, or null. */
static json_t *line_of(const char *file)
{
    char line[128] = "";
    FILE *f = fopen(file, "r");

    if (f == NULL || fgets(line, sizeof line, f) == NULL)
        line[0] = '\0';
    if (f != NULL)
        fclose(f);
    line[strcspn(line, "\n")] = '\0';
    return line[0] != '\0' ? json_string(line) : json_null();
}

json_t *machine_host(void)
{
    struct utsname system;
    struct device_facts cpu;
    double load[3] = {NAN, NAN, NAN};

    uname(&system);
    device_cpu.facts(&cpu, 1);
    if (getloadavg(load, 3) < 1)
        load[0] = -1.0;
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:i, s:{s:I, s:I, s:I}, s:o, s:o, s:f, s:I, s:o}", "name",
        system.nodename, "kernel", system.release, "machine", system.machine, "cpu", cpu.name, "cores",
        topology_cores(), "cache_bytes", "l1d", (json_int_t)sysconf(_SC_LEVEL1_DCACHE_SIZE), "l2",
        (json_int_t)sysconf(_SC_LEVEL2_CACHE_SIZE), "l3",
        (json_int_t)sysconf(_SC_LEVEL3_CACHE_SIZE), "governor",
        line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"), "cgroup_cpu_max",
        line_of("/sys/fs/cgroup/cpu.max"), "load_1min", load[0], "memory_bytes",
        (json_int_t)memory_total(), "huge_pages",
        line_of("/sys/kernel/mm/transparent_hugepage/enabled"));
}

json_t *machine_timer(void)
{
    enum { TRIALS = 1000 };
    double pair[TRIALS];

    for (int i = 0; i < TRIALS; i++) {
        double start = clock_now();
        pair[i] = clock_now() - start;
    }
    return json_pack("{s:s, s:f, s:f}", "clock", "CLOCK_MONOTONIC_RAW", "resolution_ns",
                     round(clock_step() * 1e9), "read_ns", round(median_of(pair, TRIALS) * 1e9));
}

json_t *machine_build(void)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "version", build_version, "commit", build_commit,
                     "compiler", build_compiler, "judge_flags", build_judge_flags,
                     "variant_flags", build_variant_flags, "nvcc", build_nvcc);
}
