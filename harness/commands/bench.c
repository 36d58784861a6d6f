/* rungs bench: judge, then time, and show the ladder. */
#include "harness/commands/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/ceilings.h"
#include "harness/clock.h"
#include "harness/interrupt.h"
#include "harness/machine.h"
#include "harness/predict.h"
#include "harness/registry.h"

struct session {
    const struct options *options;
    struct arena *arena;
    struct record *record;
    struct progress progress;
    struct tally tally;
    struct devices devices;
    struct warnings warnings;
    bool first; /* no table has been printed yet */
    char label[96];
};

static void show(void *context, const struct entrant *e, size_t round)
{
    struct session *s = context;
    char text[200];

    if (e->ceiling)
        return;
    snprintf(text, sizeof text, "%s %s", variant_name(e->worker.variant).full, e->row->label);
    progress_show(&s->progress, text, round);
}

/* The faster of the ceilings, in bytes a second. */
static void find_copy_rate(const struct cell *c, struct references *r)
{
    double bytes = ceiling_bytes(arena_layout(c->arena));

    for (size_t i = 0; i < c->count; i++) {
        const struct entrant *e = &c->entrants[i];
        if (!e->ceiling || e->row->e2e.rounds == 0)
            continue;
        double rate = bytes / median_of(e->row->e2e.round, e->row->e2e.rounds);
        if (!(rate <= r->copy_rate)) {
            r->copy_rate = rate;
            r->copy_name = strchr(ceiling_name(e->worker.variant), '/') + 1;
        }
    }
}

static bool report(struct session *s, struct cell *c, const struct references *copy,
                   struct error *error)
{
    struct references r = table_references(c->rows, c->row_count);

    for (size_t i = 0; i < c->row_count; i++)
        tally_row(&s->tally, c->rows[i]);
    r.copy_rate = copy->copy_rate;
    r.copy_name = copy->copy_name;
    progress_clear(&s->progress);
    table_bench(stdout, s->options->format, c->rows, c->row_count, &r, s->first);
    s->first = false;
    for (size_t i = 0; i < c->row_count; i++)
        if (!record_row(s->record, c->rows[i], error))
            return false;
    return true;
}

static bool bench_size(struct session *s, struct cell *c, const struct planned *size,
                       struct error *error)
{
    struct references copy = {.copy_rate = NAN};

    cell_label(c, size->label, size->dims);
    if (!cell_fits(c, error))
        return false;
    predict(c, s->options->profile.max_time);
    if (!time_cell(c, s->options, show, s, error))
        return false;
    find_copy_rate(c, &copy);
    s->progress.done += c->count;
    return report(s, c, &copy, error);
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
    cell_enlist(&c, g->rungs, g->count, g->problem->memory_bound, o->threads);
    cell_label(&c, "check", any_size);
    progress_show(&s->progress, problem_name(g->problem), 0);
    bool done = check_all_sizes(&c, &plain, error);
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
    if (s->options->format == FORMAT_TABLE)
        printf("time: median of the rounds' medians, end to end; +-: half its 95 %% interval.\n"
               "error: worst error over the allowed one.  x: how many times faster than the first "
               "rung,\nthan its base, than the fastest CPU rung on one core and on several.\n");
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

static int run(const struct options *o)
{
    const struct variant *rungs[MAX_VARIANTS];
    struct error error = {.text = ""};
    struct session s = {.options = o, .first = true};
    double start = clock_now();
    size_t count = options_select(o, rungs, MAX_VARIANTS, &error);

    if (count == 0 || !sizes_exist(o, rungs, count, &error) || (s.arena = arena_create(&error)) == NULL ||
        (s.record = record_open(o->out, "bench", &error)) == NULL)
        return usage_error(&error);
    devices_find(&s.devices, rungs, count, s.arena);
    telemetry_open(&s.devices);
    preflight(&s.warnings, &s.devices, o->threads);
    const struct record_run about = {.argc = o->argc, .argv = o->argv, .seed = o->seed,
                                     .threads = o->threads, .profile = o->profile.name,
                                     .order = o->serial ? "serial" : "latin",
                                     .devices = &s.devices, .warnings = &s.warnings};
    bool done = record_run(s.record, &about, &error);
    print_header(o, &s.devices, &s.warnings, s.record);
    progress_start(&s.progress, 2 * count);
    for (size_t at = 0; at < count && done && !interrupted();) {
        struct group g = group_at(rungs, count, at);
        done = bench_group(&s, &g, &error);
        at += g.count;
    }
    progress_clear(&s.progress);
    telemetry_close();
    if (done)
        print_footer(&s);
    return command_end(s.record, done ? tally_status(&s.tally) : STATUS_USAGE,
                       clock_now() - start, &error);
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
