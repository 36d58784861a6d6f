/* rungs bench: judge, then time, and show the ladder. */
#include "harness/commands/sittings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/clock.h"
#include "harness/interrupt.h"
#include "harness/machine.h"
#include "harness/terminal.h"

static void print_footer(const struct session *s)
{
    char text[512];

    if (s->options->format != FORMAT_TABLE)
        return;
    table_legend(stdout);
    if (s->ceilings.count > 0)
        snprintf(text, sizeof text,
                 "of limit: the least time that the named resource allows, over the time taken; above "
                 "100 %%: from a nearer cache, kernels that overlap, or a mistake (?).  %s\n", s->ceilings.file);
    else
        snprintf(text, sizeof text, "of limit: not known yet; \"rungs ceilings\" measures what this "
                 "machine can do.\n");
    terminal_prose(stdout, text);
    printf("The intervals of the ratios: rungs compare %s\n", record_path(s->record));
}

/* Before anything is written or run: rungs times sizes, and the tables.  0: there is no such size. */
static size_t count_cells(const struct options *o, const struct variant *const rungs[],
                          size_t count, size_t *tables, struct error *error)
{
    struct planned sizes[MAX_WORDS];
    size_t cells = 0;

    for (size_t at = 0; at < count;) {
        struct group g = group_at(rungs, count, at);
        size_t of_each = options_brings_data(o, g.problem)
                             ? 1
                             : options_sizes(o, g.problem, o->profile.sizes, sizes, MAX_WORDS, error);
        if (of_each == 0)
            return 0;
        cells += of_each * g.count;
        *tables += of_each;
        at += g.count;
    }
    return cells;
}

/* Each twice. */
static size_t double_up(const struct variant *rungs[], size_t count)
{
    for (size_t i = 2 * count; i-- > 0;)
        rungs[i] = rungs[i / 2];
    return 2 * count;
}

/* A new file, or the one to go on with and what is in it. */
static bool open_records(struct session *s, struct record_run *about, struct error *error)
{
    const struct options *o = s->options;

    s->record = o->resume != NULL ? record_continue(o->resume, error)
                                  : record_open(o->out, s->kind->name, error);
    s->journal = (struct journal){.record = s->record, .past = &s->past};
    if (s->record == NULL || o->resume == NULL || record_is_empty(s->record))
        return s->record != NULL;
    if (!past_read_all(o->resume, &s->past, error) || !resume_fits(&s->past, about, error) ||
        !resume_same_words(&s->past, about, error))
        return false;
    about->resumes = s->past.runs[s->past.run_count - 1].id;
    return true;
}

static int run_all(struct session *s, const struct variant *const rungs[], size_t count,
                   size_t cells, struct error *error)
{
    const struct options *o = s->options;
    const struct bench_kind *kind = s->kind;
    struct record_run about = about_run(o, &s->devices, &s->warnings);
    double start = clock_now();

    if (!open_records(s, &about, error)) {
        record_close(s->record);
        return usage_error(error);
    }
    bool done = record_run(s->record, &about, error);
    find_ceilings(&s->ceilings);
    print_header(o, &s->devices, &s->warnings, s->record);
    progress_start(&s->progress, cells * o->profile.sittings);
    s->progress.most = o->profile.max_time * o->profile.launches / o->profile.sittings;
    for (; s->sitting < o->profile.sittings && done && !interrupted(); s->sitting++)
        done = sit(s, rungs, count, error);
    if (done && interrupted())
        done = report_unfinished(s, error);
    progress_clear(&s->progress);
    int status = done ? tally_status(&s->tally) : STATUS_USAGE;
    if (done && kind->finish != NULL)
        status = kind->finish(kind->context, &s->tally, s->record);
    else if (done)
        print_footer(s);
    if (interrupted() && !kind->twins)
        fprintf(stderr, "rungs: interrupted; with --resume %s it goes on\n", record_path(s->record));
    return command_end(s->record, status, clock_now() - start, &s->costs, error);
}

int bench_run(const struct options *o, const struct bench_kind *kind)
{
    const struct variant *rungs[2 * MAX_VARIANTS];
    struct error error = {.text = ""};
    struct session s = {.options = o, .kind = kind, .first = true};
    size_t count = options_select(o, rungs, MAX_VARIANTS, &error);

    size_t cells = count > 0 ? count_cells(o, rungs, count, &s.sheet_count, &error) : 0;

    if (o->out != NULL && o->resume != NULL)
        error_set(&error, "--resume goes on with its own file; --out names another");
    if (cells == 0 || error.text[0] != '\0' || (s.arena = arena_create(&error)) == NULL)
        return usage_error(&error);
    devices_find(&s.devices, rungs, count, s.arena);
    telemetry_open(&s.devices);
    preflight(&s.warnings, &s.devices, o->threads);
    if (kind->twins)
        count = double_up(rungs, count);
    s.sheets = calloc(s.sheet_count, sizeof *s.sheets);
    if (s.sheets == NULL)
        abort();
    int status = run_all(&s, rungs, count, kind->twins ? 2 * cells : cells, &error);
    sheets_free(&s);
    past_free(&s.past);
    return status;
}

static int run(const struct options *o)
{
    return bench_run(o, &(struct bench_kind){.name = "bench"});
}

const struct command command_bench = {
    .name = "bench",
    .usage = "bench [PATTERN...] [--size S,M] [--quick] [--threads 1,2,4] [--resume FILE]",
    .about = "judge and time rungs, and show them in one table a problem and size",
    .help = "Sizes S and M unless --size says otherwise.  A rung is timed only if it is right, and\n"
            "judged again after it was timed.  All rungs of a table take turns.  Each run writes a\n"
            "new file of records, results/bench-DATE-HOST.jsonl unless --out names another.\n"
            "  --threads 1,2,4          times the rungs of the CPU that use several threads with each\n"
            "                           of these numbers, and shows speed-up and efficiency\n"
            "  --devices 1,2,4          the same of the rungs that use all GPUs, with the first so many\n"
            "  --resume FILE            goes on with the records of a run that was ended, in its order;\n"
            "                           all other words must be the same\n",
    .run = run,
};
