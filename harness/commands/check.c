/* rungs check: is every rung right, at every size that is there to catch it out? */
#include "harness/commands/command.h"

#include <string.h>

#include "harness/clock.h"
#include "harness/interrupt.h"
#include "harness/registry.h"

/* One size: the protocol and the release.  Rungs that have failed are gone after it. */
static bool check_size(struct cell *c, const size_t dims[], struct error *error)
{
    memcpy(c->dims, dims, sizeof c->dims);
    c->counts = true;
    bool there = cell_check(c, error);
    cell_close(c);
    c->counts = false;
    return there;
}

/* A row's fate after many sizes: what ended it, else ok if it was right at any. */
static void settle(struct entrant *e)
{
    if (!e->gone && e->row->sizes_ok > 0)
        e->row->fate = (struct fate){.outcome = OUTCOME_OK};
}

bool check_all_sizes(struct cell *c, const struct options *o, struct error *error)
{
    struct planned asked[MAX_WORDS];
    size_t count = options_sizes(o, c->problem, NULL, asked, MAX_WORDS, error);
    const double start = clock_now(), in_rungs = c->in_rungs;

    if (error->text[0] != '\0')
        return false;
    for (size_t i = 0; i < count && !interrupted(); i++)
        if (!check_size(c, asked[i].dims, error))
            return false;
    for (const struct size *s = c->problem->check_sizes; count == 0 && s->label != NULL; s++) {
        if (interrupted())
            break;
        if (!check_size(c, s->dims, error))
            return false;
    }
    for (size_t i = 0; i < c->count; i++)
        settle(&c->entrants[i]);
    cell_count_judging(c, start, in_rungs);
    return true;
}

static bool check_users_data(struct cell *c, const struct options *o, struct error *error)
{
    struct planned size;
    void *opened = options_open(o, c->problem, &size, error);

    if (opened == NULL)
        return false;
    c->opened = opened;
    bool there = check_size(c, size.dims, error);
    c->problem->data->close(opened);
    c->opened = NULL;
    for (size_t i = 0; i < c->count; i++)
        settle(&c->entrants[i]);
    return there;
}

static bool check_group(const struct group *g, const struct options *o, struct arena *arena,
                        struct record *record, struct tally *tally, struct progress *progress,
                        struct error *error)
{
    static const size_t any_size[MAX_AXES];
    struct cell c = {.arena = arena, .problem = g->problem, .seed = o->seed,
                     .timeout = o->timeout};

    progress_show(progress, problem_name(g->problem), 0);
    cell_enlist(&c, g->rungs, g->count, o->threads);
    cell_label(&c, "check", any_size);
    bool done = options_brings_data(o, g->problem) ? check_users_data(&c, o, error)
                                                   : check_all_sizes(&c, o, error);
    for (size_t i = 0; i < c.row_count && done; i++) {
        tally_row(tally, c.rows[i]);
        if (record != NULL && !record_row(record, c.rows[i], error))
            done = false;
    }
    progress_clear(progress);
    if (done)
        table_check(stdout, o->format, c.rows, c.row_count, progress->done == 0);
    cell_dismiss(&c);
    return done;
}

static int run(const struct options *o)
{
    const struct variant *rungs[MAX_VARIANTS];
    struct error error = {.text = ""};
    struct tally tally = {0};
    struct progress progress;
    struct devices devices = {.name = NULL};
    struct warnings warnings = {.count = 0};
    size_t count = options_select(o, rungs, MAX_VARIANTS, &error);
    struct arena *arena = count > 0 ? arena_create(&error) : NULL;
    struct record *record = NULL;
    double start = clock_now();

    if (arena == NULL)
        return usage_error(&error);
    if (o->out != NULL && (record = record_open(o->out, "check", &error)) == NULL)
        return usage_error(&error);
    if (record != NULL) {
        devices_find(&devices, rungs, count, arena);
        preflight(&warnings, &devices, o->threads);
    }
    const struct record_run about = {.argc = o->argc, .argv = o->argv, .seed = o->seed,
                                     .threads = o->threads, .profile = "check", .order = "latin",
                                     .devices = &devices, .warnings = &warnings};
    bool done = record == NULL || record_run(record, &about, &error);
    progress_start(&progress, count);
    for (size_t at = 0; at < count && done && !interrupted();) {
        struct group g = group_at(rungs, count, at);
        done = check_group(&g, o, arena, record, &tally, &progress, &error);
        at += g.count;
        progress.done += g.count;
    }
    return command_end(record, done ? tally_status(&tally) : STATUS_USAGE, clock_now() - start,
                       NULL, &error);
}

const struct command command_check = {
    .name = "check",
    .usage = "check [PATTERN...] [--size SIZE] [--seed N]",
    .about = "judge rungs at every check size, without timing them",
    .help = "Each rung runs twice at each size, on two sets of data, and is compared with an\n"
            "independent reference in float64.  \"error\" is the worst error over the allowed one:\n"
            "1 is the edge.  A row that fails says where and by how much.\n",
    .run = run,
};
