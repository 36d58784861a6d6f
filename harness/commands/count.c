/* rungs count: judges variants in the simulator and counts their memory requests: a ladder without a clock. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/interrupt.h"
#include "harness/base/terminal.h"
#include "harness/commands/legend_due.h"
#include "harness/commands/select.h"
#include "harness/commands/session.h"
#include "harness/commands/simulated.h"
#include "harness/commands/sizes.h"
#include "harness/model/registry.h"

/* --- one variant ------------------------------------------------------------------------------ */

/* Judges one variant at one size, in a worker that writes its counters to `file` when it releases the case. */
static bool count_variant(struct session *s, const struct group *g, size_t at, const struct planned *size,
                          const char *file, struct result **result, struct error *error)
{
    const struct options *o = s->options;
    struct cell c = {.arena = s->arena, .problem = g->problem, .seed = o->seed, .timeout = o->timeout};

    setenv("RUNGS_SIM_COUNTERS", file, 1);
    cell_enlist(&c, &g->variants[at], 1, o->threads);
    unsetenv("RUNGS_SIM_COUNTERS");
    cell_label(&c, size->label, size->dims);
    bool done = cell_check(&c, error);
    if (done)
        cell_close(&c);
    if (done && c.results[0]->fate.outcome == OUTCOME_OK)
        done = counts_read_simulated(&c.results[0]->counts, file, error);
    struct result **results = cell_give_results(&c);
    *result = results[0];
    free(results);
    cell_dismiss(&c);
    return done;
}

/* As above, with a file of its own. */
static bool count_in_file(struct session *s, const struct group *g, size_t at, const struct planned *size,
                          struct result **result, struct error *error)
{
    char file[TRACE_PATH];
    const bool done = simulated_file(file, "counters", ".jsonl", error) &&
                      count_variant(s, g, at, size, file, result, error);

    unlink(file);
    return done;
}

/* --- a table ---------------------------------------------------------------------------------- */

static void show_progress(struct session *s, const struct group *g, size_t at)
{
    progress_show(&s->progress, g->variants[at]->name.full, 0);
}

static bool count_size(struct session *s, const struct group *g, const struct planned *size, struct error *error)
{
    struct result **results = calloc(g->count + 1, sizeof *results);
    size_t count = 0;
    bool done = true;

    if (results == NULL)
        abort();
    for (; count < g->count && done && !interrupted(); count += results[count] != NULL) {
        show_progress(s, g, count);
        done = count_in_file(s, g, count, size, &results[count], error);
        s->progress.done++;
    }
    progress_clear(&s->progress);
    for (size_t i = 0; i < count; i++)
        tally_result(&s->tally, results[i]);
    if (done) {
        table_bench(stdout, s->options->format, results, count, NULL, !s->begun);
        s->begun = true;
        done = record_table(s->record, results, count, NULL, error);
    }
    for (size_t i = 0; i < count; i++)
        result_free(results[i]);
    free(results);
    return done;
}

static bool count_group(struct session *s, const struct group *g, struct error *error)
{
    struct planned sizes[MAX_WORDS];
    size_t count;
    bool done = sizes_asked(s->options, g->problem, "S", sizes, MAX_WORDS, &count, error);

    for (size_t i = 0; i < count && done && !interrupted(); i++)
        done = count_size(s, g, &sizes[i], error);
    return done;
}

/* --- the command ------------------------------------------------------------------------------ */

static int run(const struct options *asked)
{
    const struct card *variants[MAX_VARIANTS];
    struct options o = *asked;
    struct session s = {.options = &o};
    struct error error;
    bool done = true;

    o.preset = (struct preset){.name = "count"};
    size_t count = select_measured(&o, variants, MAX_VARIANTS, &error);
    if (count > 0)
        count = simulated_keep(&o, variants, count, &error);
    if (count == 0 || !session_begin(&s, variants, count, &error) || !session_open(&s, "count", &error))
        return usage_error(&error);
    session_announce(&s);
    progress_start(&s.progress, count, o.quiet);
    for (struct group g = group_first(variants, count); g.count > 0 && done && !interrupted(); g = group_next(&g))
        done = count_group(&s, &g, &error);
    if (done && o.format == FORMAT_TABLE && legend_due(&o, "count"))
        table_legend(stdout);
    return session_end(&s, done ? tally_status(&s.tally) : STATUS_USAGE, false, &error);
}

const struct command command_count = {
    .name = "count",
    .usage = "count [PATTERN...] [--size S] [--out FILE]",
    .about = "judge CUDA variants in the simulator and count their memory requests: no GPU is needed",
    .help = "A ladder without a clock: for one call of each variant, the requests and sectors of global\n"
            "memory, passes and bank conflicts of shared memory, barriers, copies, and the occupancy that\n"
            "block size and shared memory allow.  It needs the simulator's build (make SIM=1).\n"
            "The default size is S.  Records go to results/count-DATE-HOST.jsonl; show, plot counts and\n"
            "report read them.  docs/simulator.md explains the counts.\n",
    .words = "VARIANT",
    .run = run,
};
