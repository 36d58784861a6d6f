/* perf: counters while a variant runs on the CPU, then the functions that take its time. */
#include "harness/profile/perf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/profile/profile.h"

enum { HOTTEST = 5 };

/* Makes the pipes by which the worker starts perf, and perf answers. */
static bool make_pipes(const struct target *t, char control[], size_t bytes, struct error *error)
{
    char begin[TOOL_PATH + 16], answer[TOOL_PATH + 16];

    snprintf(begin, sizeof begin, "%s/control", t->scratch);
    snprintf(answer, sizeof answer, "%s/answer", t->scratch);
    snprintf(control, bytes, "--control=fifo:%s,%s", begin, answer);
    remove(begin); /* left by an earlier run */
    remove(answer);
    if (mkfifo(begin, 0600) != 0 || mkfifo(answer, 0600) != 0)
        return error_set(error, "%s: cannot make a pipe: %s", t->scratch, strerror(errno));
    setenv("RUNGS_PERF", t->scratch, 1); /* for the worker: harness/machine/device_cpu.c */
    return true;
}

/* Runs perf with these arguments on the variant. */
static enum profiled run_perf(struct target *t, const char *const words[], struct error *error)
{
    struct command_line c = {.count = 0};
    char control[3 * TOOL_PATH];

    if (!make_pipes(t, control, sizeof control, error))
        return PROFILED_ERROR;
    command_add_all(&c, words);
    command_add(&c, "--delay=-1"); /* it starts on request */
    command_add(&c, control);
    command_add(&c, "--");
    target_add(t, &c, t->brief ? "--capture" : "--capture=1");
    target_show(&c);
    int status = tool_run(&c, t->log, NULL, error);
    unsetenv("RUNGS_PERF");
    return status < 0 ? PROFILED_ERROR : target_outcome(t, status);
}

/* Finds the functions by samples of the clock, which needs no hardware counters. */
static enum profiled find_hottest(struct target *t, const char *perf, bool hardware,
                                  struct error *error)
{
    char file[TOOL_PATH + 16], list[TOOL_PATH + 16], line[512];
    const char *const record[] = {perf, "record", "-q", "-F", "4999", "-e",
                                  hardware ? "cycles:u" : "cpu-clock:u", "-o", file, NULL};
    struct command_line report = {.count = 0};
    const char *const words[] = {perf, "report", "-i", file, "--stdio", "-q", "-F", "overhead,symbol",
                                 "--percent-limit", "1", NULL};
    size_t shown = 0;

    snprintf(file, sizeof file, "%s.perf", t->report);
    snprintf(list, sizeof list, "%s/report", t->scratch);
    enum profiled outcome = run_perf(t, record, error);
    if (outcome != PROFILED)
        return outcome;
    command_add_all(&report, words);
    if (tool_run(&report, t->log, list, error) < 0)
        return PROFILED_ERROR;
    FILE *in = fopen(list, "r");
    while (in != NULL && shown < HOTTEST && fgets(line, sizeof line, in) != NULL)
        if (strspn(line, " \n") != strlen(line))
            printf("  %-20s%s", shown++ == 0 ? "where" : "", line + strspn(line, " "));
    if (in != NULL)
        fclose(in);
    printf("\nInstruction by instruction, with the source beside it: perf annotate -i %s\n", file);
    return PROFILED;
}

enum profiled profile_perf(struct target *t, struct error *error)
{
    char perf[TOOL_PATH], counts[TOOL_PATH + 16], events[512], line[512];
    const char *const stat[] = {perf, "stat", "-x,", "-o", counts, "-e", events, NULL};
    double calls = 1.0, milliseconds = 0.0;
    struct perf_counts p;

    if (!tool_find("perf", perf)) {
        fprintf(stderr, "rungs: perf is not on the PATH\n");
        return PROFILED_NOT;
    }
    perf_events(events, sizeof events);
    snprintf(counts, sizeof counts, "%s/counts", t->scratch);
    enum profiled outcome = run_perf(t, stat, error);
    if (outcome != PROFILED)
        return outcome;
    if (!perf_read(&p, counts, error))
        return PROFILED_ERROR;
    if (!tool_said(t->log, "captured", line, sizeof line) ||
        sscanf(strstr(line, "captured"), "captured %lf call%*[s ,]%lf ms", &calls, &milliseconds) != 2) {
        error_set(error, "%s: the run did not print its time", t->variant);
        return PROFILED_ERROR;
    }
    printf("%s, %.0f call%s of %.3g ms\n", t->variant, calls, calls == 1.0 ? "" : "s",
           milliseconds / calls);
    if (!perf_has_hardware(&p))
        printf("  (this machine or its kernel does not count cycles, instructions and caches;\n"
               "  the following counts are the operating system's)\n");
    perf_print(stdout, &p, calls, milliseconds * 1e-3);
    return t->brief ? PROFILED : find_hottest(t, perf, perf_has_hardware(&p), error);
}
