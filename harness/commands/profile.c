/* rungs profile: runs one call of a variant under a profiler. */
#include "harness/commands/command.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folders.h"
#include "harness/base/interrupt.h"
#include "harness/commands/select.h"
#include "harness/model/registry.h"
#include "harness/profile/profile.h"
#include "harness/records/run.h"

/* --- the call --------------------------------------------------------------------------------- */

static bool has_device(const struct card *v, const char *name)
{
    return strcmp(v->device, name) == 0;
}

/* Names the report: results/profile-20261121T154511Z-knn-cuda_warp, or as --out says. */
static bool name_report(struct target *t, const struct options *o, struct error *error)
{
    char date[32];

    if (o->out != NULL) {
        snprintf(t->report, sizeof t->report, "%s", o->out);
        return true;
    }
    run_utc(date, sizeof date, "%Y%m%dT%H%M%SZ");
    snprintf(t->report, sizeof t->report, "results/profile-%s-%s", date, t->variant);
    *strrchr(t->report, '/') = '-';
    return folders_make("results", error);
}

/* Storage for words of the command that are not on the user's command line. */
struct spelled {
    char self[TOOL_PATH]; /* this program */
    char names[16][32], seed[24], threads[24];
};

static void add_option(struct command_line *c, const char *name, const char *value)
{
    command_add(c, name);
    if (value[0] != '\0')
        command_add(c, value);
}

/* Builds the command `rungs run` with the user's options. */
static void spell_run(struct target *t, struct spelled *s, const struct options *o,
                      const char *usual_size)
{
    command_add(&t->run, s->self);
    command_add(&t->run, "run");
    command_add(&t->run, t->variant);
    for (size_t i = 0; i < o->sizes.count; i++)
        add_option(&t->run, "--size", o->sizes.word[i]);
    for (size_t i = 0; i < o->setting_count && i < 16; i++) {
        snprintf(s->names[i], sizeof s->names[i], "--%s", o->settings[i].name);
        add_option(&t->run, s->names[i], o->settings[i].value);
    }
    if (o->sizes.count + o->setting_count == 0)
        add_option(&t->run, "--size", usual_size);
    snprintf(s->seed, sizeof s->seed, "%llu", (unsigned long long)o->seed);
    snprintf(s->threads, sizeof s->threads, "%d", o->threads);
    add_option(&t->run, "--seed", s->seed);
    add_option(&t->run, "--threads", s->threads);
    add_option(&t->run, "--timeout", "600"); /* a profiler runs each kernel some forty times */
}

static bool target_begin(struct target *t, struct spelled *s, const struct options *o,
                         const struct card *v, struct error *error)
{
    const char *folder = getenv("TMPDIR");
    ssize_t length;

    *t = (struct target){.brief = strcmp(o->preset.name, "quick") == 0};
    snprintf(t->variant, sizeof t->variant, "%s", v->name.full);
    length = readlink("/proc/self/exe", s->self, sizeof s->self - 1);
    if (length <= 0)
        return error_set(error, "/proc/self/exe: %s", strerror(errno));
    s->self[length] = '\0';
    spell_run(t, s, o, has_device(v, "gpu") ? "M" : "S");
    snprintf(t->scratch, sizeof t->scratch, "%s/rungs-profile-XXXXXX",
             folder != NULL ? folder : "/tmp");
    if (mkdtemp(t->scratch) == NULL)
        return error_set(error, "%s: %s", t->scratch, strerror(errno));
    snprintf(t->log, sizeof t->log, "%.490s/log", t->scratch);
    if (name_report(t, o, error))
        return true;
    rmdir(t->scratch);
    return false;
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

/* --- the profilers ---------------------------------------------------------------------------- */

typedef enum profiled profiler(struct target *t, struct error *error);

/* In the simulator: `rungs run --counters`, which counts much of what ncu counts. */
static enum profiled profile_sim(const struct options *asked, const char *variant)
{
    struct options o = *asked;

    o.patterns.word[0] = variant;
    o.patterns.count = 1;
    o.excluded.count = 0;
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
    const char *name, *device; /* device: of the variants that it can profile */
    profiler *run;
} tools[] = {{"ncu", "gpu", profile_ncu},
             {"nsys", "gpu", profile_nsys},
             {"perf", "cpu", profile_perf}};
enum { TOOLS = sizeof tools / sizeof *tools };

/* Points to what ncu reported for this variant on an H200, if docs/profiles/ has it. */
static void say_recorded(const struct card *v)
{
    const struct name name = v->name;
    char path[128], heading[128], line[256];
    bool found = false;

    snprintf(path, sizeof path, "docs/profiles/%s.md", name.problem);
    snprintf(heading, sizeof heading, "## `%s`\n", name.variant);
    FILE *page = fopen(path, "r");
    if (page == NULL)
        return; /* not started in the checkout, or the problem is the user's */
    while (!found && fgets(line, sizeof line, page) != NULL)
        found = strcmp(line, heading) == 0;
    fclose(page);
    fprintf(stderr, found ? "rungs: %s: see %s for what ncu reported on an H200\n"
                          : "rungs: %s: %s has ncu reports of other variants on an H200, not of this one\n",
            name.full, path);
}

/* Profiles with the tool that --tool names, or with the first that fits and works. */
static enum profiled profile_by_tool(struct target *t, const struct options *o,
                                     const struct card *v, struct error *error)
{
    enum profiled outcome = PROFILED_NOT;

    for (size_t i = 0; i < TOOLS && outcome == PROFILED_NOT && !interrupted(); i++) {
        const bool fits = has_device(v, tools[i].device);
        if (o->tool != NULL ? strcmp(o->tool, tools[i].name) != 0 : !fits)
            continue;
        if (!fits) {
            error_set(error, "%s: %s profiles variants on a %s", t->variant, tools[i].name,
                      strcmp(tools[i].device, "gpu") == 0 ? "GPU" : "CPU");
            return PROFILED_ERROR;
        }
        outcome = tools[i].run(t, error);
    }
    if (outcome == PROFILED_NOT && has_device(v, "gpu"))
        say_recorded(v);
    return outcome;
}

/* Profiles one variant and prints its errors. */
static enum profiled profile_variant(const struct options *o, const struct card *v)
{
    struct target t;
    struct spelled words;
    struct error error;
    enum profiled outcome = PROFILED_ERROR;

    if (o->tool != NULL ? strcmp(o->tool, "sim") == 0 : has_device(v, "sim"))
        return profile_sim(o, v->name.full);
    if (target_begin(&t, &words, o, v, &error)) {
        outcome = profile_by_tool(&t, o, v, &error);
        target_end(&t);
    }
    if (outcome == PROFILED_ERROR)
        usage_error(&error);
    return outcome;
}

/* --- the command ------------------------------------------------------------------------------ */

/* Lists the variants to profile and returns their number; 0 with an error. */
static size_t choose(const struct options *o, const struct card *variants[], struct error *error)
{
    if (o->patterns.count == 0) {
        error_set(error, "profile takes a variant, e.g. rungs profile knn/cuda_warp; rungs list shows all");
        return 0;
    }
    size_t count = select_variants(o, variants, MAX_VARIANTS, error);
    if (count > 1 && o->out != NULL) {
        error_set(error, "--out names one report, but %zu variants match: %s, %s ...", count,
                  variants[0]->name.full, variants[1]->name.full);
        return 0;
    }
    return count;
}

static int run(const struct options *o)
{
    const struct card *variants[MAX_VARIANTS];
    struct error error;
    struct tally tally = {0};
    size_t count = choose(o, variants, &error);

    if (count == 0)
        return usage_error(&error);
    for (size_t i = 0; i < count && !interrupted(); i++) {
        enum profiled outcome = profile_variant(o, variants[i]);
        if (outcome == PROFILED_ERROR)
            return STATUS_USAGE;
        tally.ok += outcome == PROFILED;
        tally.failed += outcome == PROFILED_WRONG;
        if (i + 1 < count)
            printf("\n");
        fflush(stdout);
    }
    return tally_status(&tally);
}

const struct command command_profile = {
    .name = "profile",
    .usage = "profile PROBLEM/VARIANT [--size S] [--tool ncu|nsys|perf|sim] [--quick] [--out FILE]",
    .about = "run one call of a variant under a profiler, and summarise what limits it",
    .help = "On a GPU, ncu reports for each kernel what limits it, its share of the device's peak, sectors\n"
            "per request, bank conflicts and occupancy; nsys shows copies, kernels and gaps.  On the CPU\n"
            "it uses perf, in the simulator (make SIM=1) the simulator's counters.\n"
            "The profiler's full report stays in results/, or in the file that --out names; --quick\n"
            "keeps none.  The default size is M on a GPU and S elsewhere.\n"
            "docs/profiling.md shows an example step by step.\n",
    .words = "VARIANT",
    .run = run,
};
