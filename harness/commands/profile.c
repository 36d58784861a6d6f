/* rungs profile: one call of a rung under the profiler that fits it. */
#include "harness/commands/command.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/interrupt.h"
#include "harness/profile/profile.h"
#include "harness/record.h"
#include "harness/registry.h"

/* --- what is profiled ------------------------------------------------------------------------- */

static bool has_device(const struct variant *v, const char *name)
{
    return strcmp(v->device != NULL ? v->device->name : "cpu", name) == 0;
}

/* results/profile-20261121T154511Z-knn-cuda_warp, and what --out says instead. */
static void name_report(struct target *t)
{
    const struct options *o = t->o;
    char date[32];

    if (o->out != NULL) {
        snprintf(t->report, sizeof t->report, "%s", o->out);
        return;
    }
    (void)mkdir("results", 0777); /* if it is not there, the profiler says why */
    record_utc(date, sizeof date, "%Y%m%dT%H%M%SZ");
    snprintf(t->report, sizeof t->report, "results/profile-%s-%s", date, t->rung);
    *strrchr(t->report, '/') = '-';
}

static bool target_begin(struct target *t, const struct options *o, const struct variant *v,
                         struct error *error)
{
    const char *folder = getenv("TMPDIR");
    ssize_t length;

    *t = (struct target){.o = o, .brief = strcmp(o->profile.name, "quick") == 0};
    snprintf(t->rung, sizeof t->rung, "%s", variant_name(v).full);
    snprintf(t->size, sizeof t->size, "%s", has_device(v, "gpu") ? "M" : "S");
    length = readlink("/proc/self/exe", t->self, sizeof t->self - 1);
    if (length <= 0)
        return error_set(error, "/proc/self/exe: %s", strerror(errno));
    t->self[length] = '\0';
    snprintf(t->scratch, sizeof t->scratch, "%s/rungs-profile-XXXXXX",
             folder != NULL ? folder : "/tmp");
    if (mkdtemp(t->scratch) == NULL)
        return error_set(error, "%s: %s", t->scratch, strerror(errno));
    snprintf(t->log, sizeof t->log, "%.490s/log", t->scratch);
    name_report(t);
    return true;
}

static void target_end(const struct target *t)
{
    char all[TOOL_PATH + 8];
    glob_t files;

    snprintf(all, sizeof all, "%s/*", t->scratch);
    if (glob(all, 0, NULL, &files) == 0) {
        for (size_t i = 0; i < files.gl_pathc; i++)
            unlink(files.gl_pathv[i]);
        globfree(&files);
    }
    rmdir(t->scratch);
}

/* --- by what ---------------------------------------------------------------------------------- */

typedef enum profiled profiler(struct target *t, struct error *error);

/* In the simulator there is no ncu, but the simulator counts what ncu does. */
static enum profiled profile_sim(struct target *t, struct error *error)
{
    struct options o = *t->o;

    (void)error;
    o.patterns[0] = t->rung;
    o.pattern_count = 1;
    o.excluded_count = 0;
    o.counters = true;
    o.out = NULL;
    switch (command_run.run(&o)) {
    case STATUS_OK: return PROFILED;
    case STATUS_FAILED: return PROFILED_WRONG;
    case STATUS_USAGE: return PROFILED_ERROR;
    default: return PROFILED_NOTHING;
    }
}

static const struct {
    const char *name, *device; /* of the rungs that it is for; NULL: of any */
    profiler *run;
} tools[] = {{"ncu", "gpu", profile_ncu},
             {"nsys", "gpu", profile_nsys},
             {"perf", "cpu", profile_perf},
             {"sim", NULL, profile_sim}};
enum { TOOLS = sizeof tools / sizeof *tools };

static size_t find_tool(const char *name)
{
    size_t i = 0;

    while (i < TOOLS && strcmp(tools[i].name, name) != 0)
        i++;
    return i;
}

/* What was recorded elsewhere, for those who cannot record it: is there a block of this rung? */
static void say_recorded(const struct variant *v)
{
    const struct name name = variant_name(v);
    char path[128], heading[128], line[256];
    bool found = false;

    snprintf(path, sizeof path, "docs/profiles/%s.md", name.problem);
    snprintf(heading, sizeof heading, "## `%s`\n", name.variant);
    FILE *page = fopen(path, "r");
    if (page == NULL)
        return; /* not run from the checkout, or a problem of the user's own */
    while (!found && fgets(line, sizeof line, page) != NULL)
        found = strcmp(line, heading) == 0;
    fclose(page);
    fprintf(stderr, found ? "rungs: %s: %s has what ncu said of it on an H200\n"
                          : "rungs: %s: %s has what ncu said of others on an H200, not of this one\n",
            name.full, path);
}

/* The one that was asked for, or the first that fits and can be had. */
static enum profiled profile_rung(struct target *t, const struct variant *v, struct error *error)
{
    const size_t asked = t->o->tool != NULL ? find_tool(t->o->tool) : TOOLS;
    enum profiled outcome = PROFILED_NOT;

    if (has_device(v, "sim") && asked == TOOLS)
        return profile_sim(t, error);
    for (size_t i = 0; i < TOOLS && outcome == PROFILED_NOT && !interrupted(); i++) {
        if (asked != TOOLS ? i != asked : tools[i].device == NULL || !has_device(v, tools[i].device))
            continue;
        if (tools[i].device != NULL && !has_device(v, tools[i].device)) {
            error_set(error, "%s: %s is for rungs on a %s", t->rung, tools[i].name,
                      strcmp(tools[i].device, "gpu") == 0 ? "GPU" : "CPU");
            return PROFILED_ERROR;
        }
        outcome = tools[i].run(t, error);
    }
    if (outcome == PROFILED_NOT && has_device(v, "gpu"))
        say_recorded(v);
    return outcome;
}

/* --- the command ------------------------------------------------------------------------------ */

static int run(const struct options *o)
{
    const struct variant *rungs[MAX_VARIANTS];
    struct error error = {.text = ""};
    size_t count = o->pattern_count > 0 ? options_select(o, rungs, MAX_VARIANTS, &error) : 0;
    struct tally tally = {0};
    bool done = true;

    if (o->pattern_count == 0)
        error_set(&error, "profile which rung?  rungs list shows them");
    else if (o->tool != NULL && find_tool(o->tool) == TOOLS)
        error_set(&error, "--tool is ncu, nsys, perf or sim, not \"%s\"", o->tool);
    else if (count > 1 && o->out != NULL)
        error_set(&error, "--out names one report, and %zu rungs match: %s, %s ...", count,
                  variant_name(rungs[0]).full, variant_name(rungs[1]).full);
    if (error.text[0] != '\0')
        return usage_error(&error);
    for (size_t i = 0; i < count && done && !interrupted(); i++) {
        struct target t;
        if (!target_begin(&t, o, rungs[i], &error))
            return usage_error(&error);
        enum profiled outcome = profile_rung(&t, rungs[i], &error);
        target_end(&t);
        tally.ok += outcome == PROFILED;
        tally.failed += outcome == PROFILED_WRONG;
        done = outcome != PROFILED_ERROR;
        if (i + 1 < count)
            printf("\n");
        fflush(stdout);
    }
    if (!done && error.text[0] != '\0')
        return usage_error(&error);
    return done ? tally_status(&tally) : STATUS_USAGE;
}

const struct command command_profile = {
    .name = "profile",
    .usage = "profile PROBLEM/RUNG [--size S] [--tool ncu|nsys|perf|sim] [--quick] [--out FILE]",
    .about = "run one call of a rung under a profiler, and say what matters",
    .help = "On a GPU, ncu counts what the kernels do: what bounds them, how near they come to what the\n"
            "device can do, sectors a request, bank conflicts, occupancy.  nsys shows copies, kernels\n"
            "and gaps.  On the CPU perf counts; in the simulator (make SIM=1) the simulator does.\n"
            "The profiler's report stays in results/, or where --out says; with --quick there is\n"
            "none.  Size M on a GPU and S elsewhere unless --size says otherwise.\n"
            "docs/profiling.md is a session step by step.\n",
    .run = run,
};
