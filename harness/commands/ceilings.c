/* rungs ceilings: measures the peak rates of this machine. */
#include "harness/ceilings/ceilings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/terminal.h"
#include "harness/base/text.h"
#include "harness/commands/command.h"
#include "harness/commands/legend_due.h"
#include "harness/commands/progress.h"
#include "harness/machine/machine.h"
#include "harness/model/registry.h"
#include "harness/table/ceilings.h"

/* --- progress --------------------------------------------------------------------------------- */

struct watch {
    struct progress progress;
    const struct card *now;
};

static void show(void *context, const struct entrant *e, size_t round)
{
    struct watch *w = context;

    w->progress.done += w->now != NULL && w->now != e->worker.variant;
    w->now = e->worker.variant;
    progress_show(&w->progress, w->now->name.variant, round);
}

/* --- output ----------------------------------------------------------------------------------- */

enum { WIDEST = 25 }; /* percent: half an interval */

/* Memory is measured in several ways, and only the best is a ceiling. */
static bool is_surpassed(const struct ceilings *all, const struct ceiling_value *v)
{
    for (const struct ceiling_value *w = all->values; w < all->values + all->count; w++)
        if (v->resource == RESOURCE_MEMORY && w->resource == RESOURCE_MEMORY && strcmp(v->device, w->device) == 0 &&
            v->bytes == w->bytes && v->cores == w->cores && w->best > v->best)
            return true;
    return false;
}

/* Prints which ceilings are so uncertain that a share of them says little. */
static void name_uncertain(const struct ceilings *all)
{
    char names[400] = "", text[640];
    size_t count = 0;

    for (const struct ceiling_value *v = all->values; v < all->values + all->count; v++) {
        if (v->fate.outcome != OUTCOME_OK || is_surpassed(all, v) || !(50.0 * (v->high - v->low) > WIDEST * v->median))
            continue;
        if (strstr(names, v->name) == NULL)
            text_add(names, sizeof names, "%s%s", count > 0 ? ", " : "", v->name);
        count++;
    }
    if (count == 0)
        return;
    snprintf(text, sizeof text, "UNCERTAIN: the interval of %zu ceiling%s is wider than +- %d %% (%s).  Measure again on an idle "
             "machine: rungs ceilings\n", count, count > 1 ? "s" : "", WIDEST, names);
    terminal_prose(stdout, text);
}

static void print(const struct ceilings *all, const struct options *o)
{
    const bool people = o->format == FORMAT_TABLE || o->format == FORMAT_MARKDOWN;
    char machine[256];

    if (people) {
        machine_describe(machine, sizeof machine);
        printf("%s\n%s\n\n", machine, all->file);
    }
    table_ceilings(stdout, o->format, all->values, all->count, NULL);
    if (people)
        name_uncertain(all);
    if (legend_due(o, "ceilings"))
        printf("best  the best of all samples\n"
               "+-    half of the 95 %% confidence interval of the rounds' median, in percent\n"
               "set   the bytes that are read and written again and again, by all cores together\n");
}

/* --- the command ------------------------------------------------------------------------------ */

static int status_of(const struct ceilings *all)
{
    bool any = false;

    for (size_t i = 0; i < all->count; i++) {
        if (outcome_failed(all->values[i].fate.outcome))
            return STATUS_FAILED;
        any |= all->values[i].fate.outcome == OUTCOME_OK;
    }
    return any ? STATUS_OK : STATUS_NOTHING;
}

static int run(const struct options *o)
{
    static struct ceilings all;
    struct watch w = {.now = NULL};
    struct error error;

    if (o->patterns.count > 0) {
        error_set(&error, "ceilings takes no variants: it measures the machine");
        return usage_error(&error);
    }
    const int ranks = o->rank_steps.count > 0 ? o->rank_steps.value[0] : 0;
    if (o->rank_steps.count > 1 || ranks == 1) {
        error_set(&error, "ceilings measures the network between one number of ranks, 2 or more: --ranks 2");
        return usage_error(&error);
    }
    if (o->if_missing && ranks == 0 && ceilings_load(&all, &error) == CEILINGS_LOADED) {
        print(&all, o);
        return status_of(&all);
    }
    struct record *record = ceilings_create(&all, o->out, ranks > 0, &error);
    if (record == NULL)
        return usage_error(&error);
    progress_start(&w.progress, ceilings_count(), o->quiet);
    bool done = ceilings_measure(&all, strcmp(o->preset.name, "quick") == 0
                                           ? &preset_ceilings_quick
                                           : &preset_ceilings, ranks, show, &w, &error);
    progress_clear(&w.progress);
    if (!done || interrupted()) { /* a later run would take a part for all */
        ceilings_drop(record);
        return done ? STATUS_SIGNAL + interrupted() : usage_error(&error);
    }
    if (ranks > 0 && status_of(&all) != STATUS_OK) { /* an older file may be better */
        ceilings_drop(record);
        table_ceilings(stdout, o->format, all.values, all.count, NULL);
        return status_of(&all);
    }
    if (!ceilings_save(record, &all, o->argc, o->argv, &error))
        return usage_error(&error);
    print(&all, o);
    return status_of(&all);
}

const struct command command_ceilings = {
    .name = "ceilings",
    .usage = "ceilings [--if-missing] [--ranks 2] [--format json]",
    .about = "measure the peak rates of this machine, for the column \"% of peak\"",
    .help = "Measures memory, caches and arithmetic; on a GPU also special functions, tensor cores, bus\n"
            "and kernel launches.  It takes one to two minutes and writes ceilings-MACHINE-BUILD.jsonl\n"
            "into the folder $XDG_CACHE_HOME/rungs or ~/.cache/rungs, where bench finds it from any folder.\n"
            "With --ranks 2 it measures messages between two processes by MPI instead, for rungs scale.\n"
            "mpirun, or what RUNGS_MPI holds, starts them: on two hosts, if it does.  The file is\n"
            "network-MACHINE-BUILD.jsonl.\n",
    .words = "",
    .run = run,
};
