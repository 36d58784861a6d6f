/* rungs lab view, and the key v: draws the accesses of the learner's own run. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/terminal.h"
#include "harness/commands/command.h"
#include "harness/view/view.h"
#include "harness/worker/confine.h"
#include "workshop/lab/build.h"
#include "workshop/lab/folder.h"
#include "workshop/lab/lab.h"
#include "workshop/lab/view_clock.h"
#include "workshop/lab/view_host.h"

/* Builds the file and runs it in the simulator, which writes to `trace`: at all sizes until there is a mistake, and if
   there is none, at the size for counters. */
static bool trace_run(const struct exercise *e, const char *trace, struct mistake *m, struct error *error)
{
    static char said[8192];
    char program[160], counters[300];
    const char *source = e->source;
    struct trial t;

    build_program(source, IN_SIMULATOR, program, sizeof program);
    if (!build_ready(IN_SIMULATOR, error))
        return false;
    if (!build_sources(&source, 1, IN_SIMULATOR, said, sizeof said)) {
        build_mistake(said, source, m);
        return true;
    }
    setenv("RUNGS_SIM_TRACE", trace, 1);
    bool good = trial_run(e, program, IN_SIMULATOR, &t, error);
    snprintf(counters, sizeof counters, "%s.counters", trace);
    if (good && !mistaken(&t.mistake) && e->counted.label != NULL)
        good = trial_count(e, program, counters, m, error);
    unsetenv("RUNGS_SIM_TRACE");
    unlink(counters);
    return good;
}

static bool draw(const struct exercise *e, const char *trace, struct error *error)
{
    char title[200], page[200];
    struct stat s;

    if (stat(trace, &s) != 0 || s.st_size == 0)
        return error_set(error, "%02d has run no kernel that could be drawn", e->number);
    snprintf(title, sizeof title, "%02d %s", e->number, e->title);
    json_t *document = view_read(trace, title, error);
    if (document == NULL)
        return false;
    view_text(stdout, document);
    snprintf(page, sizeof page, "learn/view-%s.html", e->name);
    const bool good = !view_has_steps(document) || view_page(page, document, error);
    if (good && view_has_steps(document))
        terminal_printf(stdout, "\nstep by step, forward and back: %s\n", page);
    json_decref(document);
    return good;
}

/* In a folder that is the only one that the program may write to. */
static bool view_exercise(const struct exercise *e, struct error *error)
{
    char folder[] = "/tmp/rungs-lab-XXXXXX", trace[64];
    struct mistake m = {.kind = ""};

    if (mkdtemp(folder) == NULL)
        return error_set(error, "/tmp: a folder for the trace cannot be made");
    snprintf(trace, sizeof trace, "%s/trace.jsonl", folder);
    confine_scratch(folder);
    bool good = trace_run(e, trace, &m, error);
    if (good && mistaken(&m) && access(trace, F_OK) != 0)
        good = error_set(error, "%s: %s", e->source, m.facts > 0 ? m.fact[0] : m.kind);
    good = good && draw(e, trace, error);
    unlink(trace);
    rmdir(folder);
    return good;
}

int lab_view(const struct lab_call *c)
{
    struct error error;
    const struct exercise *e = lab_exercise(c, 0, &error);
    char notice[256];

    if (e == NULL || !folder_prepare(e, notice, sizeof notice, &error))
        return usage_error(&error);
    const bool good = e->cuda ? view_exercise(e, &error) : e->figures > 0 ? view_clock(e, &error) : view_host(e, &error);
    return good ? STATUS_OK : usage_error(&error);
}
