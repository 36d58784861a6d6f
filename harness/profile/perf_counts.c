#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/profile/perf.h"

static const char *const names[P_EVENTS] = {
    [P_CYCLES] = "cycles", [P_INSTRUCTIONS] = "instructions", [P_BRANCHES] = "branches",
    [P_BRANCH_MISSES] = "branch-misses", [P_CACHE_READS] = "cache-references",
    [P_CACHE_MISSES] = "cache-misses", [P_TASK_CLOCK] = "task-clock", [P_FAULTS] = "page-faults",
    [P_SWITCHES] = "context-switches", [P_MIGRATIONS] = "cpu-migrations"};

void perf_events(char *text, size_t bytes)
{
    size_t used = 0;

    for (int e = 0; e < P_EVENTS && used < bytes; e++)
        used += (size_t)snprintf(text + used, bytes - used, "%s%s", e > 0 ? "," : "", names[e]);
}

/* "1234,,cycles,5678,100.00,,".  The name may have a suffix, cycles:u, if the kernel's share is not
   accessible. */
static void read_line(struct perf_counts *p, char *line)
{
    const char *value = strsep(&line, ","), *unit = strsep(&line, ","), *name = strsep(&line, ",");
    char *end;

    if (unit == NULL || name == NULL)
        return;
    const double number = strtod(value, &end);
    for (int e = 0; e < P_EVENTS; e++)
        if (strncmp(name, names[e], strlen(names[e])) == 0 && end != value)
            p->of[e] = number;
}

bool perf_read(struct perf_counts *p, const char *file, struct error *error)
{
    FILE *in = fopen(file, "r");
    char line[512];

    for (int e = 0; e < P_EVENTS; e++)
        p->of[e] = NAN;
    while (in != NULL && fgets(line, sizeof line, in) != NULL)
        read_line(p, line);
    if (in != NULL)
        fclose(in);
    return isfinite(p->of[P_TASK_CLOCK]) || error_set(error, "%s: perf counted nothing", file);
}

bool perf_has_hardware(const struct perf_counts *p)
{
    return p->of[P_CYCLES] > 0.0 && p->of[P_INSTRUCTIONS] > 0.0;
}

/* --- facts ------------------------------------------------------------------------------------ */

enum { LINE = 64 }; /* bytes of a cache line */

/* Rules of thumb: returns which counter is unusual. */
static const char *bound_by(double a_cycle, double misses, double wrong)
{
    if (misses > 10.0)
        return "memory: more than one instruction in a hundred misses the last cache";
    if (wrong > 0.05)
        return "branches: more than one in twenty is mispredicted";
    if (a_cycle >= 2.0)
        return "arithmetic and loads from near: the core executes two instructions a cycle or more";
    return "latency: instructions wait for the results of others; chains are long, or divisions many";
}

static void print_hardware(FILE *out, const struct perf_counts *p, double seconds)
{
    const double instructions = p->of[P_INSTRUCTIONS], a_cycle = instructions / p->of[P_CYCLES];
    const double misses = p->of[P_CACHE_MISSES], branches = p->of[P_BRANCHES];
    const double wrong = branches > 0.0 ? p->of[P_BRANCH_MISSES] / branches : NAN;

    fprintf(out, "  bound by            %s\n",
            bound_by(a_cycle, 1000.0 * misses / instructions, wrong));
    fprintf(out, "  instructions        %.2f a cycle\n", a_cycle);
    if (isfinite(misses))
        fprintf(out, "  cache misses        %.2f in 1000 instructions, %.2g GB/s of lines\n",
                1000.0 * misses / instructions, misses * LINE / seconds * 1e-9);
    if (isfinite(wrong))
        fprintf(out, "  branches            %.2f %% mispredicted\n", 100.0 * wrong);
}

void perf_print(FILE *out, const struct perf_counts *p, double calls, double seconds)
{
    if (perf_has_hardware(p))
        print_hardware(out, p, seconds);
    fprintf(out, "  cores at work       %.2f%s\n", p->of[P_TASK_CLOCK] * 1e-3 / seconds, calls == 1.0 ? " in this one call" : "");
    fprintf(out, "  a call              %.3g page faults, %.3g context switches, %.3g migrations\n",
            p->of[P_FAULTS] / calls, p->of[P_SWITCHES] / calls, p->of[P_MIGRATIONS] / calls);
}
