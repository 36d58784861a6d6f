/* rungs view: draws the memory accesses of a variant in the simulator, in the terminal and as a page. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folders.h"
#include "harness/base/terminal.h"
#include "harness/commands/command.h"
#include "harness/commands/select.h"
#include "harness/commands/simulated.h"
#include "harness/commands/sizes.h"
#include "harness/model/registry.h"
#include "harness/view/view.h"

/* Judges the variant once, in a worker that writes its trace to `file`. */
static bool trace_variant(const struct options *o, const struct group *g, const char *file, char *title, size_t bytes,
                          struct fate *fate, struct error *error)
{
    struct cell c = {.problem = g->problem, .seed = o->seed, .timeout = o->timeout};
    struct planned size;
    size_t count;
    char dims[200];

    if (!sizes_asked(o, g->problem, "S", &size, 1, &count, error) || (c.arena = arena_create(error)) == NULL)
        return false;
    setenv("RUNGS_SIM_TRACE", file, 1);
    cell_enlist(&c, g->variants, 1, o->threads);
    unsetenv("RUNGS_SIM_TRACE");
    cell_label(&c, size.label, size.dims);
    const bool done = cell_check(&c, error);
    if (done)
        cell_close(&c);
    *fate = c.results[0]->fate;
    result_size(c.results[0], dims, sizeof dims);
    snprintf(title, bytes, "%s  %s", g->variants[0]->name.full, dims);
    cell_dismiss(&c);
    return done;
}

/* Names the page: results/view-stencil-cuda_naive.html, or as --out says. */
static bool name_page(const struct options *o, const struct card *v, char *page, size_t bytes, struct error *error)
{
    snprintf(page, bytes, "results/view-%s-%s.html", v->name.problem, v->name.variant);
    if (o->out != NULL)
        snprintf(page, bytes, "%s", o->out);
    return o->out != NULL || folders_make("results", error);
}

static int show(const char *trace, const char *title, const char *page, const struct fate *fate)
{
    struct error error;
    json_t *document = view_read(trace, title, &error);
    bool fine = document != NULL;

    if (!fine && fate->outcome != OUTCOME_OK) {
        error_set(&error, "%s: %s: %s", title, outcome_names[fate->outcome], fate->reason);
        usage_error(&error);
        return outcome_failed(fate->outcome) ? STATUS_FAILED : STATUS_NOTHING;
    }
    if (fine) {
        terminal_printf(stdout, "%s\n", title);
        view_text(stdout, document);
        if (view_has_steps(document) && (fine = view_page(page, document, &error)))
            terminal_printf(stdout, "\nstep by step, forward and back: %s\n", page);
    }
    json_decref(document);
    if (!fine)
        return usage_error(&error);
    return outcome_failed(fate->outcome) ? STATUS_FAILED : STATUS_OK;
}

/* Draws the trace of any program: RUNGS_SIM_TRACE=FILE build-sim/tests/sim/races. */
static int show_file(const char *trace, const char *page)
{
    const struct fate none = {.outcome = OUTCOME_OK};

    return show(trace, trace, page != NULL ? page : "view.html", &none);
}

static int run(const struct options *o)
{
    const struct card *variants[MAX_VARIANTS];
    char trace[TRACE_PATH], page[600], title[400];
    struct error error;
    struct fate fate;

    if (o->patterns.count == 0) {
        error_set(&error, "view takes a variant, e.g. rungs view stencil/cuda_naive");
        return usage_error(&error);
    }
    if (o->patterns.count == 1 && access(o->patterns.word[0], R_OK) == 0)
        return show_file(o->patterns.word[0], o->out);
    size_t count = select_variants(o, variants, MAX_VARIANTS, &error);
    if (count > 0)
        count = simulated_keep(o, variants, count, &error);
    if (count > 1) {
        error_set(&error, "view takes one variant, but %zu match: %s, %s ...", count, variants[0]->name.full,
                  variants[1]->name.full);
        count = 0;
    }
    if (count == 0 || !name_page(o, variants[0], page, sizeof page, &error) ||
        !simulated_file(trace, "trace", ".jsonl", &error))
        return usage_error(&error);
    const struct group g = group_first(variants, 1);
    const int status = trace_variant(o, &g, trace, title, sizeof title, &fate, &error)
                           ? show(trace, title, page, &fate)
                           : usage_error(&error);
    unlink(trace);
    return status;
}

const struct command command_view = {
    .name = "view",
    .usage = "view PROBLEM/VARIANT|TRACE [--size S] [--out FILE]",
    .about = "draw a CUDA variant's memory accesses, from the simulator: no GPU is needed",
    .help = "One warp over memory: which lane accesses which element, the sectors and banks of each\n"
            "request, and the line with most to gain first; of a mistake the access that failed, the two\n"
            "threads of a race, or where each thread waits.  It prints one picture, and writes a page\n"
            "with all steps: results/view-PROBLEM-VARIANT.html.  Needs the simulator's build (make SIM=1).\n"
            "In place of a variant it takes a trace, which any simulated program writes if RUNGS_SIM_TRACE\n"
            "names a file; the page is then view.html.\n",
    .words = "VARIANT",
    .run = run,
};
