/* rungs check: judges every variant at the check sizes, which are chosen to expose mistakes. */
#include "harness/commands/session.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/terminal.h"
#include "harness/commands/select.h"
#include "harness/commands/sizes.h"
#include "harness/model/registry.h"
#include "harness/records/measurement.h"

void check_enlist(struct cell *c, const struct group *g, const struct options *o)
{
    static const size_t any_size[MAX_AXES];

    cell_enlist(c, g->variants, g->count, o->threads);
    cell_label(c, "check", any_size);
}

/* Judges one size and releases its data.  Variants that fail are ENTRANT_GONE afterwards. */
static bool check_size(struct cell *c, const size_t dims[], struct error *error)
{
    memcpy(c->dims, dims, sizeof c->dims);
    c->counts = true;
    bool there = cell_check(c, error);
    cell_close(c);
    c->counts = false;
    return there;
}

/* Sets the outcome after all sizes: the failure if there was one, else ok if any size was right. */
static void settle(struct cell *c)
{
    for (struct entrant *e = c->entrants; e < c->entrants + c->count; e++)
        if (e->state != ENTRANT_GONE && e->result->sizes_ok > 0)
            e->result->fate = (struct fate){.outcome = OUTCOME_OK};
}

static bool in_shard(const struct shard *s, size_t size)
{
    return s->parts == 0 || size % s->parts == s->part - 1;
}

/* Judges at the sizes of the command line, else at every check size that has the asked words (--data town). */
static bool check_all_sizes(struct cell *c, const struct options *o, struct error *error)
{
    struct planned asked[MAX_WORDS];
    size_t count;

    const char *rest = sizes_sets_length(o, c->problem) ? "S" : NULL; /* its other axes */

    if (!sizes_asked(o, c->problem, rest, asked, MAX_WORDS, &count, error))
        return false;
    if (count > 0 && o->shard.parts > 0)
        return error_set(error, "--shard is a part of the check sizes: leave out the size");
    for (size_t i = 0; i < count && !interrupted(); i++)
        if (!check_size(c, asked[i].dims, error))
            return false;
    const struct size *all = c->problem->check_sizes;
    for (size_t i = 0; count == 0 && all[i].label != NULL && !interrupted(); i++)
        if (in_shard(&o->shard, i) && sizes_has_words(o, c->problem, all[i].dims) && !check_size(c, all[i].dims, error))
            return false;
    settle(c);
    return true;
}

bool check_before_timing(struct cell *c, const struct group *g, const struct options *o,
                         struct error *error)
{
    struct options plain = *o;

    plain.sizes.count = plain.setting_count = 0;
    check_enlist(c, g, o);
    return check_all_sizes(c, &plain, error);
}

static bool check_users_data(struct cell *c, const struct options *o, struct error *error)
{
    struct planned size;
    void *opened = sizes_open_files(o, c->problem, &size, error);

    if (opened == NULL)
        return false;
    c->opened = opened;
    const bool there = check_size(c, size.dims, error);
    c->problem->data->close(opened);
    settle(c);
    return there;
}

/* Each MPI variant, and each engine, as often as --ranks has numbers; all others once. */
static void enlist(struct cell *c, const struct group *g, const struct options *o)
{
    static const size_t any_size[MAX_AXES];
    const struct steps *ranks = &o->rank_steps;
    const size_t room = g->count * (ranks->count + 1);
    const struct card **variants = calloc(room, sizeof *variants);
    struct scale *scales = calloc(room, sizeof *scales);
    size_t count = 0;

    if (variants == NULL || scales == NULL)
        abort();
    for (size_t i = 0; i < g->count; i++) {
        const bool several = (card_by_mpi(g->variants[i]) || g->variants[i]->engine != NULL) && ranks->count > 0;
        for (size_t s = 0; s < (several ? ranks->count : 1); s++) {
            variants[count] = g->variants[i];
            scales[count++].ranks = several ? ranks->value[s] : 0;
        }
    }
    cell_enlist_scaled(c, variants, scales, NULL, count, o->threads);
    cell_label(c, "check", any_size);
    free(variants);
    free(scales);
}

static bool check_group(struct session *s, const struct group *g, struct error *error)
{
    const struct options *o = s->options;
    struct cell c = {.arena = s->arena, .problem = g->problem, .seed = o->seed,
                     .timeout = o->timeout};

    progress_show(&s->progress, problem_name(g->problem), 0);
    enlist(&c, g, o);
    bool done = sizes_has_files(o, g->problem) ? check_users_data(&c, o, error)
                                               : check_all_sizes(&c, o, error);
    for (size_t i = 0; i < c.count && done; i++) {
        tally_result(&s->tally, c.results[i]);
        done = s->record == NULL ||
               record_object(s->record, measurement_write(c.results[i]), error);
    }
    progress_clear(&s->progress);
    if (done)
        table_check(stdout, o->format, c.results, c.count, !s->begun);
    s->begun = true;
    s->progress.done += g->count;
    cell_dismiss(&c);
    return done;
}

static int run(const struct options *asked)
{
    const struct card *variants[MAX_VARIANTS];
    struct options o = *asked;
    struct session s = {.options = &o};
    struct error error;
    const size_t count = select_variants(&o, variants, MAX_VARIANTS, &error);

    o.preset = (struct preset){.name = "check"};
    if (count == 0)
        return usage_error(&error);
    if (o.out == NULL)
        s.arena = arena_create(&error);
    else if (!session_begin(&s, variants, count, &error) || !session_open(&s, "check", &error))
        return usage_error(&error);
    bool done = s.arena != NULL;
    progress_start(&s.progress, count, s.options->quiet);
    for (struct group g = group_first(variants, count); g.count > 0 && done && !interrupted();
         g = group_next(&g))
        done = check_group(&s, &g, &error);
    if (done && s.begun && o.format == FORMAT_TABLE && !o.quiet)
        terminal_hang(stdout, "error    worst error divided by the tolerance; above 1 the variant is wrong\n"
                              "sizes    check sizes at which it is right; refused: sizes that it does not support\n");
    return session_end(&s, done ? tally_status(&s.tally) : STATUS_USAGE, false, &error);
}

const struct command command_check = {
    .name = "check",
    .usage = "check [PATTERN...] [--size SIZE] [--seed N]",
    .about = "judge variants at every check size, without timing them",
    .help = "Each variant runs twice at each size, on two sets of data.  Its results are compared with\n"
            "an independent float64 reference.  \"error\" is the worst error divided by the tolerance;\n"
            "above 1 the variant is wrong.  A row that fails says where and by how much.\n",
    .words = "VARIANT",
    .run = run,
};
