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
#include "harness/predict.h"
#include "harness/registry.h"

struct session {
    const struct options *options;
    const struct bench_kind *kind;
    struct arena *arena;
    struct record *record;
    struct progress progress;
    struct tally tally;
    struct devices devices;
    struct warnings warnings;
    bool first; /* no table has been printed yet */
    struct ceilings ceilings; /* of this machine, or none */
};

static void show(void *context, const struct entrant *e, size_t round)
{
    struct session *s = context;
    char text[200];

    snprintf(text, sizeof text, "%s %s", variant_name(e->worker.variant).full, e->row->label);
    progress_show(&s->progress, text, round);
}

/* All objects of a list, which is gone after it. */
static bool record_list(struct record *record, json_t *list, struct error *error)
{
    json_t *one;
    bool written = true;
    size_t at;

    json_array_foreach(list, at, one) {
        written = written && record_object(record, json_incref(one), error);
    }
    json_decref(list);
    return written;
}

static bool record_rows(struct session *s, const struct cell *c, struct error *error)
{
    for (size_t i = 0; i < c->row_count; i++)
        if (!record_row(s->record, c->rows[i], error))
            return false;
    return true;
}

static bool report_kind(struct session *s, const struct cell *c, struct error *error)
{
    progress_clear(&s->progress);
    return record_rows(s, c, error) &&
           s->kind->report(s->kind->context, c->rows, c->row_count, s->record, error);
}

static bool report(struct session *s, struct cell *c, struct error *error)
{
    struct references r;

    for (size_t i = 0; i < c->row_count; i++)
        tally_row(&s->tally, c->rows[i]);
    if (s->kind->report != NULL)
        return report_kind(s, c, error);
    struct ladder ladder = ladder_of_rows(c->rows, c->row_count);
    r.ladder = &ladder;
    progress_clear(&s->progress);
    table_bench(stdout, s->options->format, c->rows, c->row_count, &r, s->first);
    s->first = false;
    bool written = record_rows(s, c, error) &&
                   record_list(s->record, ladder_json(&ladder, c->rows), error) &&
                   record_list(s->record, speedups_json(c->rows, c->row_count), error);
    ladder_free(&ladder);
    return written;
}

static bool bench_size(struct session *s, struct cell *c, const struct planned *size,
                       struct error *error)
{
    struct profile profile = s->options->profile;
    size_t rivals = s->kind->twins ? c->row_count / 2 : c->row_count;
    size_t needed = compare_rounds_needed(rivals - 1);

    if (profile.min_rounds < needed) /* or no ratio of this table could ever be sure */
        profile.min_rounds = needed;
    cell_label(c, size->label, size->dims);
    for (size_t r = 0; r < c->row_count; r++)
        c->rows[r]->twin = s->kind->twins && r % 2 == 1;
    if (!cell_fits(c, error))
        return false;
    predict(c, profile.max_time);
    if (!time_cell(c, s->options, &profile, show, s, error))
        return false;
    s->progress.done += c->count;
    set_limits(c, &s->ceilings);
    return report(s, c, error);
}

static bool bench_group(struct session *s, const struct group *g, struct error *error)
{
    static const size_t any_size[MAX_AXES];
    const struct options *o = s->options;
    struct options plain = *o;
    struct planned sizes[MAX_WORDS];
    size_t count = 1;
    void *opened = NULL;
    struct cell c = {.arena = s->arena, .problem = g->problem, .seed = o->seed,
                     .timeout = fmax(o->timeout, 10.0 * o->profile.max_time)};

    if (options_brings_data(o, g->problem)) {
        opened = options_open(o, g->problem, &sizes[0], error);
        if (opened == NULL)
            return false;
    } else {
        count = options_sizes(o, g->problem, o->profile.sizes, sizes, MAX_WORDS, error);
        if (count == 0)
            return false;
    }

    plain.size_count = plain.setting_count = 0; /* the check sizes, whatever is to be timed */
    cell_enlist(&c, g->rungs, g->count, o->threads);
    cell_label(&c, "check", any_size);
    progress_show(&s->progress, problem_name(g->problem), 0);
    bool done = s->kind->twins || check_all_sizes(&c, &plain, error);
    if (done && (o->thread_steps.count > 0 || o->device_steps.count > 0)) {
        cell_scale(&c, &o->thread_steps, &o->device_steps, s->devices.count);
        s->progress.all += count * (c.count - g->count);
    }
    c.opened = opened;
    for (size_t i = 0; i < count && done && !interrupted(); i++)
        done = bench_size(s, &c, &sizes[i], error);
    cell_dismiss(&c);
    if (opened != NULL)
        g->problem->data->close(opened);
    return done;
}

static void print_footer(const struct session *s)
{
    if (s->options->format != FORMAT_TABLE)
        return;
    printf("time: median of the rounds' medians, end to end; +-: half its 95 %% interval.\n"
           "error: worst error over the allowed one.  x: how many times faster than the first rung,\n"
           "than its base, than the fastest CPU rung on one core and on several.  %s"
           "run, resident: the data are on the device, and in its cache if they fit; cold: nothing "
           "is in its cache.\n"
           "flags: T throttled, L launch-bound, C coarse timer, O off its core, N noisy, D drifting,\n"
           "F too few rounds for an interval.\n",
           table_marks);
    if (s->ceilings.count > 0)
        printf("of limit: the least time that the named resource allows, over the time taken;\n"
               "above 100 %%: from a nearer cache, or a mistake (?).  %s\n", s->ceilings.file);
    else
        printf("of limit: not known yet; \"rungs ceilings\" measures what this machine can do.\n");
    printf("The intervals of the ratios: rungs compare %s\n", record_path(s->record));
}

/* Before anything is written or run: are there such sizes? */
static bool sizes_exist(const struct options *o, const struct variant *const rungs[],
                        size_t count, struct error *error)
{
    struct planned sizes[MAX_WORDS];

    for (size_t at = 0; at < count;) {
        struct group g = group_at(rungs, count, at);
        if (!options_brings_data(o, g.problem) &&
            options_sizes(o, g.problem, o->profile.sizes, sizes, MAX_WORDS, error) == 0)
            return false;
        at += g.count;
    }
    return true;
}

/* Each twice. */
static size_t double_up(const struct variant *rungs[], size_t count)
{
    for (size_t i = 2 * count; i-- > 0;)
        rungs[i] = rungs[i / 2];
    return 2 * count;
}

int bench_run(const struct options *o, const struct bench_kind *kind)
{
    const struct variant *rungs[2 * MAX_VARIANTS];
    struct error error = {.text = ""};
    struct session s = {.options = o, .kind = kind, .first = true};
    double start = clock_now();
    size_t count = options_select(o, rungs, MAX_VARIANTS, &error);

    if (count == 0 || !sizes_exist(o, rungs, count, &error) || (s.arena = arena_create(&error)) == NULL ||
        (s.record = record_open(o->out, kind->name, &error)) == NULL)
        return usage_error(&error);
    devices_find(&s.devices, rungs, count, s.arena);
    telemetry_open(&s.devices);
    preflight(&s.warnings, &s.devices, o->threads);
    const struct record_run about = {.argc = o->argc, .argv = o->argv, .seed = o->seed,
                                     .threads = o->threads, .thread_steps = &o->thread_steps,
                                     .device_steps = &o->device_steps, .profile = o->profile.name,
                                     .max_time = o->profile.max_time,
                                     .order = o->serial ? "serial" : "latin",
                                     .devices = &s.devices, .warnings = &s.warnings};
    if (kind->twins)
        count = double_up(rungs, count);
    bool done = record_run(s.record, &about, &error);
    find_ceilings(&s.ceilings);
    print_header(o, &s.devices, &s.warnings, s.record);
    progress_start(&s.progress, 2 * count);
    for (size_t at = 0; at < count && done && !interrupted();) {
        struct group g = group_at(rungs, count, at);
        done = bench_group(&s, &g, &error);
        at += g.count;
    }
    progress_clear(&s.progress);
    int status = done ? tally_status(&s.tally) : STATUS_USAGE;
    if (done && kind->finish != NULL)
        status = kind->finish(kind->context, &s.tally, s.record);
    else if (done)
        print_footer(&s);
    return command_end(s.record, status, clock_now() - start, &error);
}

static int run(const struct options *o)
{
    return bench_run(o, &(struct bench_kind){.name = "bench"});
}

const struct command command_bench = {
    .name = "bench",
    .usage = "bench [PATTERN...] [--size S,M] [--quick] [--max-time SECONDS]",
    .about = "judge and time rungs, and show them in one table a problem and size",
    .help = "Sizes S and M unless --size says otherwise.  A rung is timed only if it is right, and\n"
            "judged again after it was timed.  All rungs of a table take turns.  Each run writes a\n"
            "new file of records, results/bench-DATE-HOST.jsonl unless --out names another.\n",
    .run = run,
};
