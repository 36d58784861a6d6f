/* rungs bench: judge, then time, and show the ladder. */
#include "harness/commands/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/clock.h"
#include "harness/compare_json.h"
#include "harness/interrupt.h"
#include "harness/machine.h"
#include "harness/past_rows.h"
#include "harness/predict.h"
#include "harness/registry.h"
#include "harness/terminal.h"
#include "harness/resume.h"
#include "harness/scaling.h"

struct session {
    const struct options *options;
    const struct bench_kind *kind;
    struct arena *arena;
    struct record *record;
    struct past past; /* what an earlier run has measured, with --resume */
    struct journal journal;
    struct costs costs;
    struct progress progress;
    const struct cell *cell; /* that is being timed */
    struct tally tally;
    struct devices devices;
    struct warnings warnings;
    bool first; /* no table has been printed yet */
    struct ceilings ceilings; /* of this machine, or none */
};

static void show(void *context, const struct entrant *e, size_t round)
{
    struct session *s = context;

    progress_cell(&s->progress, s->cell, e, round);
}

static void show_table(struct session *s, struct row *const rows[], size_t count,
                       const struct ladder *ladder)
{
    const struct references r = {.ladder = ladder};

    for (size_t i = 0; i < count; i++)
        tally_row(&s->tally, rows[i]);
    progress_clear(&s->progress);
    table_bench(stdout, s->options->format, rows, count, &r, s->first);
    s->first = false;
}

static bool report_kind(struct session *s, const struct cell *c, struct error *error)
{
    for (size_t i = 0; i < c->row_count; i++)
        tally_row(&s->tally, c->rows[i]);
    progress_clear(&s->progress);
    return record_table(s->record, c->rows, c->row_count, NULL, error) &&
           s->kind->report(s->kind->context, c->rows, c->row_count, s->record, error);
}

/* What was interrupted is no table yet: its blocks are on record, for --resume. */
static bool report(struct session *s, const struct cell *c, struct error *error)
{
    bool written = true;

    if (s->kind->report != NULL)
        return report_kind(s, c, error);
    struct ladder ladder = ladder_of_rows(c->rows, c->row_count);
    show_table(s, c->rows, c->row_count, &ladder);
    if (!interrupted()) {
        json_t *follows = ladder_json(&ladder, c->rows), *speedups = speedups_json(c->rows, c->row_count);
        json_array_extend(follows, speedups);
        json_decref(speedups);
        written = record_table(s->record, c->rows, c->row_count, follows, error);
    }
    ladder_free(&ladder);
    return written;
}

/* --- what an earlier run has measured --------------------------------------------------------- */

/* The measurements of a size, if they are on record; their number. */
static size_t recall(const struct session *s, const struct cell *c, const struct planned *size,
                     const struct past_cell **cells)
{
    const char *problem = problem_name(c->problem);

    for (size_t i = 0, count; i < s->past.cell_count; i += count) {
        *cells = &s->past.cells[i];
        count = past_table_length(&s->past, i);
        if (strcmp((*cells)->problem, problem) == 0 && strcmp((*cells)->label, size->label) == 0 &&
            past_is_size((*cells)->size, (*cells)->axes, c->problem->axes, MAX_AXES, size->dims))
            return count;
    }
    return 0;
}

static bool show_again(struct session *s, const struct past_cell cells[], size_t count,
                       struct error *error)
{
    struct past_rows t;

    if (!past_rows_make(&s->past, cells, count, &t, error))
        return false;
    show_table(s, t.rows, t.count, &t.ladder);
    past_rows_free(&t);
    return true;
}

/* --- a size ----------------------------------------------------------------------------------- */

static bool bench_size(struct session *s, struct cell *c, const struct planned *size,
                       struct error *error)
{
    struct profile profile = s->options->profile;
    const struct past_cell *cells;
    const size_t known = recall(s, c, size, &cells);
    size_t rivals = s->kind->twins ? c->row_count / 2 : c->row_count;
    size_t needed = compare_rounds_needed(rivals - 1);

    if (known > 0) {
        s->progress.done += c->count;
        return show_again(s, cells, known, error);
    }
    if (profile.min_rounds < needed) /* or no ratio of this table could ever be sure */
        profile.min_rounds = needed;
    cell_label(c, size->label, size->dims);
    for (size_t r = 0; r < c->row_count; r++)
        c->rows[r]->twin = s->kind->twins && r % 2 == 1;
    if (!cell_fits(c, error))
        return false;
    const double start = clock_now();
    predict(c, profile.max_time);
    c->costs.tried += clock_now() - start;
    if (!time_cell(c, s->options, &profile, show, s, error))
        return false;
    s->progress.done += c->count;
    set_limits(c, &s->ceilings);
    return report(s, c, error);
}

/* Judges the rungs, gives those that scale each of their values, and times all at each size. */
static bool measure_group(struct session *s, struct cell *c, const struct group *g,
                          const struct planned sizes[], size_t count, struct error *error)
{
    static const size_t any_size[MAX_AXES];
    const struct options *o = s->options;
    struct options plain = *o;
    void *const opened = (void *)c->opened;

    plain.size_count = plain.setting_count = 0; /* the check sizes, whatever is to be timed */
    c->opened = NULL;
    cell_enlist(c, g->rungs, g->count, o->threads);
    cell_label(c, "check", any_size);
    progress_show(&s->progress, problem_name(g->problem), 0);
    bool done = s->kind->twins || check_all_sizes(c, &plain, error);
    if (done && (o->thread_steps.count > 0 || o->device_steps.count > 0)) {
        cell_scale(c, &o->thread_steps, &o->device_steps, s->devices.count);
        s->progress.all += count * (c->count - g->count);
    }
    c->opened = opened;
    s->cell = c;
    for (size_t i = 0; i < count && done && !interrupted(); i++)
        done = bench_size(s, c, &sizes[i], error);
    s->cell = NULL;
    cell_dismiss(c);
    costs_add(&s->costs, &c->costs);
    return done;
}

/* Where all sizes are on record, there is nothing to be judged either. */
static bool bench_group(struct session *s, const struct group *g, struct error *error)
{
    const struct options *o = s->options;
    const struct past_cell *cells;
    struct planned sizes[MAX_WORDS];
    size_t count = 1, known = 0;
    void *opened = NULL;
    struct cell c = {.arena = s->arena, .problem = g->problem, .seed = o->seed,
                     .journal = s->kind->twins ? NULL : &s->journal,
                     .timeout = fmax(o->timeout, 10.0 * o->profile.max_time)};
    bool done = true;

    if (options_brings_data(o, g->problem))
        c.opened = opened = options_open(o, g->problem, &sizes[0], error);
    else
        count = options_sizes(o, g->problem, o->profile.sizes, sizes, MAX_WORDS, error);
    if (count == 0 || error->text[0] != '\0')
        return false;
    while (known < count && recall(s, &c, &sizes[known], &cells) > 0)
        known++;
    if (known < count)
        done = measure_group(s, &c, g, sizes, count, error);
    else
        for (size_t i = 0; i < count && done; i++)
            done = bench_size(s, &c, &sizes[i], error);
    if (opened != NULL)
        g->problem->data->close(opened);
    return done;
}

static void print_footer(const struct session *s)
{
    char text[512];

    if (s->options->format != FORMAT_TABLE)
        return;
    table_legend(stdout);
    if (s->ceilings.count > 0)
        snprintf(text, sizeof text,
                 "of limit: the least time that the named resource allows, over the time taken; above "
                 "100 %%: from a nearer cache, or a mistake (?).  %s\n", s->ceilings.file);
    else
        snprintf(text, sizeof text, "of limit: not known yet; \"rungs ceilings\" measures what this "
                 "machine can do.\n");
    terminal_prose(stdout, text);
    printf("The intervals of the ratios: rungs compare %s\n", record_path(s->record));
}

/* Before anything is written or run: rungs times sizes.  0: there is no such size. */
static size_t count_cells(const struct options *o, const struct variant *const rungs[],
                          size_t count, struct error *error)
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
    struct record_run about = {.argc = o->argc, .argv = o->argv, .seed = o->seed,
                               .threads = o->threads, .thread_steps = &o->thread_steps,
                               .device_steps = &o->device_steps, .profile = o->profile.name,
                               .max_time = o->profile.max_time,
                               .order = o->serial ? "serial" : "latin",
                               .devices = &s->devices, .warnings = &s->warnings};
    double start = clock_now();

    if (!open_records(s, &about, error)) {
        record_close(s->record);
        return usage_error(error);
    }
    bool done = record_run(s->record, &about, error);
    find_ceilings(&s->ceilings);
    print_header(o, &s->devices, &s->warnings, s->record);
    progress_start(&s->progress, cells);
    s->progress.most = o->profile.max_time * o->profile.launches;
    for (size_t at = 0; at < count && done && !interrupted();) {
        struct group g = group_at(rungs, count, at);
        done = bench_group(s, &g, error);
        at += g.count;
    }
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

    size_t cells = count > 0 ? count_cells(o, rungs, count, &error) : 0;

    if (o->out != NULL && o->resume != NULL)
        error_set(&error, "--resume goes on with its own file; --out names another");
    if (cells == 0 || error.text[0] != '\0' || (s.arena = arena_create(&error)) == NULL)
        return usage_error(&error);
    devices_find(&s.devices, rungs, count, s.arena);
    telemetry_open(&s.devices);
    preflight(&s.warnings, &s.devices, o->threads);
    if (kind->twins)
        count = double_up(rungs, count);
    int status = run_all(&s, rungs, count, kind->twins ? 2 * cells : cells, &error);
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
