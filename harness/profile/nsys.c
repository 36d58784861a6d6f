/* Nsight Systems: how one call divides its time among kernels, copies and the host. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/text.h"
#include "harness/profile/profile.h"
#include "harness/profile/sheet.h"

/* The seconds of all rows of one of nsys's summaries, and its longest row. */
struct summary_of {
    double seconds, longest;
    char name[SHEET_TEXT];
};

static struct summary_of sum_up(const struct sheet *s, const char *named)
{
    const size_t time = sheet_column(s, "Total Time (ns)"), name = sheet_column(s, named);
    struct summary_of sum = {.seconds = 0.0};

    for (size_t row = 0; row < s->rows; row++) {
        const double seconds = 1e-9 * sheet_number(s, row, time);
        if (!isfinite(seconds))
            continue;
        sum.seconds += seconds;
        if (seconds > sum.longest) {
            sum.longest = seconds;
            snprintf(sum.name, sizeof sum.name, "%s", sheet_text(s, row, name));
        }
    }
    return sum;
}

/* Reads one of nsys's reports.  It has no rows if the call had nothing of the kind. */
static bool read_report(struct target *t, const char *nsys, const char *report, struct sheet *s,
                        struct error *error)
{
    char file[TOOL_PATH + 16], csv[TOOL_PATH + 64];
    struct command_line c = {.count = 0};
    const char *const words[] = {nsys, "stats", "--force-export=true", "--format", "csv", "--report",
                                 report, file, NULL};

    snprintf(file, sizeof file, "%s.nsys-rep", t->report);
    snprintf(csv, sizeof csv, "%s/%s.csv", t->scratch, report);
    command_add_all(&c, words);
    *s = (struct sheet){0};
    if (tool_run(&c, t->log, csv, error) < 0)
        return false;
    struct error empty;
    (void)sheet_read(s, csv, &empty);
    return true;
}

static void print_part(const char *what, const struct summary_of *part, double all)
{
    char time[32];

    describe_duration(part->seconds, time, sizeof time);
    printf("  %-10s %10s  %3.0f %%", what, time, 100.0 * part->seconds / all);
    if (part->name[0] != '\0')
        printf("   mostly %.*s", (int)strcspn(part->name, "("), part->name);
    printf("\n");
}

/* The variant's phases lie within the range of the variant's name, which is the whole call. */
static void print_times(const struct target *t, const struct sheet *kernels,
                        const struct sheet *copies, const struct sheet *ranges)
{
    static const char *const phases[] = {"upload", "run", "download"};
    const struct summary_of run = sum_up(kernels, "Name"), moved = sum_up(copies, "Operation");
    const size_t time = sheet_column(ranges, "Total Time (ns)"), name = sheet_column(ranges, "Range");
    struct summary_of host = {.seconds = 0.0};

    for (size_t row = 0; row < ranges->rows; row++)
        for (size_t p = 0; p < 3; p++) {
            const char *range = sheet_text(ranges, row, name), *last = strrchr(range, ':');
            const double seconds = 1e-9 * sheet_number(ranges, row, time);
            if (strcmp(last != NULL ? last + 1 : range, phases[p]) != 0 || !isfinite(seconds))
                continue;
            host.seconds += seconds;
            if (seconds > host.longest) {
                host.longest = seconds;
                snprintf(host.name, sizeof host.name, "%s", phases[p]);
            }
        }
    const double all = fmax(host.seconds, run.seconds + moved.seconds);
    const struct summary_of gap = {.seconds = all - run.seconds - moved.seconds};
    printf("%s, one call on the time line:\n", t->variant);
    print_part("kernels", &run, all);
    print_part("copies", &moved, all);
    print_part("neither", &gap, all);
    if (host.name[0] != '\0')
        print_part("phases", &host, all);
}

/* An importer turns the trace into a report.  Some installations lack it, e.g.  Nsight Compute's copy
   of nsys. */
static bool is_imported(const struct target *t)
{
    char report[TOOL_PATH + 16], trace[TOOL_PATH + 16];

    snprintf(report, sizeof report, "%s.nsys-rep", t->report);
    snprintf(trace, sizeof trace, "%s.qdstrm", t->report);
    if (access(report, F_OK) == 0 || access(trace, F_OK) != 0)
        return true;
    fprintf(stderr, "rungs: nsys traced the call, but this installation cannot make a report of it; run "
                    "`QdstrmImporter %s` where Nsight Systems is complete\n", trace);
    return false;
}

enum profiled profile_nsys(struct target *t, struct error *error)
{
    struct command_line c = {.count = 0};
    struct sheet kernels, copies, ranges;
    char nsys[TOOL_PATH];

    if (!tool_find("nsys", nsys)) {
        fprintf(stderr, "rungs: nsys (Nsight Systems) was not found: neither on the PATH nor where NVIDIA's "
                        "packages put it\n");
        return PROFILED_NOT;
    }
    const char *const words[] = {nsys, "profile", "--trace=cuda,nvtx", "--sample=none",
                                 "--cpuctxsw=none", "--capture-range=cudaProfilerApi",
                                 "--capture-range-end=stop", "--kill=none", "--force-overwrite=true",
                                 "--output", t->report, NULL};
    command_add_all(&c, words);
    target_add(t, &c, "--capture");
    target_show(&c);
    int status = tool_run(&c, t->log, NULL, error);
    if (status < 0)
        return PROFILED_ERROR;
    enum profiled outcome = target_outcome(t, status);
    if (outcome != PROFILED)
        return outcome;
    if (!is_imported(t))
        return PROFILED_NOT;
    if (!read_report(t, nsys, "cuda_gpu_kern_sum", &kernels, error) ||
        !read_report(t, nsys, "cuda_gpu_mem_time_sum", &copies, error) ||
        !read_report(t, nsys, "nvtx_pushpop_sum", &ranges, error))
        return PROFILED_ERROR;
    print_times(t, &kernels, &copies, &ranges);
    printf("\nThe time line: nsys-ui %s.nsys-rep\n", t->report);
    sheet_free(&kernels);
    sheet_free(&copies);
    sheet_free(&ranges);
    return PROFILED;
}
