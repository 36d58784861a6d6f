/* Nsight Compute: the counters of each kernel that one call launches. */
#include <stdio.h>

#include "harness/base/terminal.h"
#include "harness/profile/kernel.h"
#include "harness/profile/profile.h"

enum { SHOWN = 6 }; /* kernels; the others rarely take a relevant part of the time */

static void say_refused(void)
{
    fflush(stdout);
    terminal_prose(stderr,
                   "rungs: ncu: only administrators may read the GPU's counters (ERR_NVGPUCTRPERM).  Ask "
                   "an administrator for the driver's option NVreg_RestrictProfilingToAdminUsers=0 or "
                   "for the right CAP_SYS_ADMIN.  docs/profiles/ has what ncu printed elsewhere.\n");
}

static enum profiled print_facts(const struct target *t, const char *file, struct error *error)
{
    static struct kernel kernels[KERNELS];
    struct sheet sheet;
    double all = 0.0;

    if (!sheet_read(&sheet, file, error))
        return PROFILED_ERROR;
    size_t count = kernel_read(&sheet, kernels, KERNELS);
    sheet_free(&sheet);
    target_print(t, count > 0 ? kernels[0].device : "");
    if (count == 0)
        printf("This call launches no kernel.\n");
    for (size_t i = 0; i < count; i++)
        all += kernels[i].time;
    for (size_t i = 0; i < count && i < SHOWN; i++)
        kernel_print(stdout, &kernels[i], kernels[i].time / all);
    if (count > SHOWN)
        printf("and %zu more kernels, which take less time\n", count - SHOWN);
    return PROFILED;
}

/* Runs ncu with the variant, then ncu on its own report, for the facts as CSV. */
static enum profiled run_ncu(struct target *t, const char *ncu, const char *csv,
                             struct error *error)
{
    static char metrics[4096];
    char report[TOOL_PATH + 16], errors[TOOL_PATH + 16];
    /* At the clock rates of an ordinary run; locked clocks would measure another machine. */
    const char *const always[] = {ncu, "--clock-control", "none", "--profile-from-start", "off", NULL};
    const char *const whole[] = {"--set", "full", "--import-source", "yes", "-f", "-o", t->report,
                                 "--metrics", metrics, NULL};
    const char *const brief[] = {"--csv", "--page", "raw", "--print-units", "base", "--log-file", csv,
                                 "--metrics", metrics, NULL};
    const char *const import[] = {ncu, "--import", report, "--csv", "--page", "raw", "--print-units",
                                  "base", NULL};
    struct command_line c = {.count = 0}, shown = {.count = 0}, read = {.count = 0};

    kernel_metrics(metrics, sizeof metrics);
    snprintf(report, sizeof report, "%s.ncu-rep", t->report);
    snprintf(errors, sizeof errors, "%s/errors", t->scratch);
    command_add_all(&c, always);
    command_add_all(&c, t->brief ? brief : whole);
    target_add(t, &c, "--capture");
    shown = c;
    for (size_t i = 0; i < shown.count; i++)
        if (shown.words[i] == metrics)
            shown.words[i] = "..."; /* there are thirty of them */
    target_show(&shown);
    int status = tool_run(&c, t->log, NULL, error);
    if (status < 0)
        return PROFILED_ERROR;
    if (tool_said(t->log, "ERR_NVGPUCTRPERM", NULL, 0) || tool_said(csv, "ERR_NVGPUCTRPERM", NULL, 0)) {
        say_refused();
        return PROFILED_NOT;
    }
    enum profiled outcome = target_outcome(t, status);
    if (outcome != PROFILED || t->brief)
        return outcome;
    command_add_all(&read, import);
    status = tool_run(&read, errors, csv, error);
    if (status > 0)
        error_set(error, "%s cannot be read: ncu ends with status %d", report, status);
    return status == 0 ? PROFILED : PROFILED_ERROR;
}

enum profiled profile_ncu(struct target *t, struct error *error)
{
    char ncu[TOOL_PATH], csv[TOOL_PATH + 16];

    if (!tool_find("ncu", ncu)) {
        fprintf(stderr, "rungs: ncu (Nsight Compute) was not found: neither on the PATH nor where NVIDIA's "
                        "packages put it\n");
        return PROFILED_NOT;
    }
    snprintf(csv, sizeof csv, "%s/ncu.csv", t->scratch);
    enum profiled outcome = run_ncu(t, ncu, csv, error);
    if (outcome == PROFILED)
        outcome = print_facts(t, csv, error);
    if (outcome == PROFILED && !t->brief)
        printf("\nAll that ncu has seen, with the source beside it: ncu-ui %s.ncu-rep, or as text: "
               "ncu --import %s.ncu-rep --page details\n", t->report, t->report);
    return outcome;
}
