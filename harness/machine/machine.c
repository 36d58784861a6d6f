#define _GNU_SOURCE
#include "harness/machine/machine.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/device.h"
#include "harness/base/clock.h"
#include "harness/base/memory.h"
#include "harness/base/stats.h"
#include "harness/machine/topology.h"

int machine_scan(const char *file, const char *format, ...)
{
    char line[4096];
    FILE *f = fopen(file, "re");
    int got = 0;

    while (f != NULL && got <= 0 && fgets(line, sizeof line, f) != NULL) {
        va_list values;
        va_start(values, format);
        got = vsscanf(line, format, values);
        va_end(values);
    }
    if (f != NULL)
        fclose(f);
    return got > 0 ? got : 0;
}

/* Describes the processor as a device. */
static void machine_cpu(struct device_facts *cpu)
{
    *cpu = (struct device_facts){.name = "unknown processor"};
    (void)machine_scan("/proc/cpuinfo", "model name : %95[^\n]", cpu->name);
}

/* On a virtual machine sysconf() may report the cache of the whole host; the entries of each processor
   are right. */
double machine_last_cache(void)
{
#define CACHE "/sys/devices/system/cpu/cpu0/cache/index3"
    char map[1024];
    double kib = 0.0, sharers = 0.0;

    if (machine_scan(CACHE "/size", "%lf", &kib) == 1 &&
        machine_scan(CACHE "/shared_cpu_map", "%1023s", map) == 1)
        for (const char *c = map; *c != '\0'; c++) /* one bit for each, in groups of hexadecimal digits */
            for (int digit = *c >= 'a' ? *c - 'a' + 10 : *c - '0'; digit > 0; digit /= 2)
                sharers += digit % 2;
    return sharers > 0.0 ? 1024.0 * kib * ceil(topology_cores() / sharers) : 0.0;
}

static double memory_total(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

void machine_describe(char *text, size_t bytes)
{
    struct utsname system;
    struct device_facts cpu;

    uname(&system);
    machine_cpu(&cpu);
    snprintf(text, bytes, "%s, %d core%s, %.1f GiB, %s %s", cpu.name, topology_cores(),
             topology_cores() == 1 ? "" : "s", memory_total() / 0x1p30, system.sysname,
             system.release);
}

/* FNV-1a, 64 bits. */
static void hash(const char *facts, char text[FINGERPRINT])
{
    uint64_t h = 0xcbf29ce484222325;

    for (const char *c = facts; *c != '\0'; c++)
        h = (h ^ (unsigned char)*c) * 0x100000001b3;
    snprintf(text, FINGERPRINT, "%016llx", (unsigned long long)h);
}

void machine_fingerprint(char text[FINGERPRINT])
{
    static char known[FINGERPRINT]; /* kept, because asking for the GPUs takes some 0.1 s */
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    struct device_facts cpu;
    char gpus[1024], facts[1400];

    memcpy(text, known, FINGERPRINT);
    if (known[0] != '\0')
        return;
    machine_cpu(&cpu);
    machine_gpus(gpus, sizeof gpus);
    snprintf(facts, sizeof facts, "%s|%d|%.0f|%s|%.200s", cpu.name, topology_cores(),
             memory_total() / 0x1p30, gpus, visible != NULL ? visible : "all");
    hash(facts, known);
    memcpy(text, known, FINGERPRINT);
}

void machine_build_key(char text[FINGERPRINT])
{
    char facts[4096];

    snprintf(facts, sizeof facts, "%s|%s|%s", build_compiler, build_variant_flags, build_nvcc);
    hash(facts, text);
}

/* Returns the first line of one of the kernel's files, or null. */
static json_t *line_of(const char *file)
{
    char line[128];

    return machine_scan(file, "%127[^\n]", line) == 1 ? json_string(line) : json_null();
}

json_t *machine_host(void)
{
    struct utsname system;
    struct device_facts cpu;
    double load[3] = {NAN, NAN, NAN};

    uname(&system);
    machine_cpu(&cpu);
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
