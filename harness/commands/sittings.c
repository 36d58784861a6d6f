#include "harness/commands/sittings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/clock.h"
#include "harness/compare_json.h"
#include "harness/interrupt.h"
#include "harness/past_rows.h"
#include "harness/predict.h"
#include "harness/scaling.h"

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

static bool report_kind(struct session *s, const struct sheet *t, struct error *error)
{
    for (size_t i = 0; i < t->count; i++)
        tally_row(&s->tally, t->rows[i]);
    progress_clear(&s->progress);
    return record_table(s->record, t->rows, t->count, NULL, error) &&
           s->kind->report(s->kind->context, t->rows, t->count, s->record, error);
}

/* What was interrupted is no table yet: its blocks are on record, for --resume. */
static bool report(struct session *s, struct sheet *t, struct error *error)
{
    bool written = true;

    t->shown = true;
    if (s->kind->report != NULL)
        return report_kind(s, t, error);
    struct ladder ladder = ladder_of_rows(t->rows, t->count);
    show_table(s, t->rows, t->count, &ladder);
    if (!interrupted()) {
        json_t *follows = ladder_json(&ladder, t->rows), *speedups = speedups_json(t->rows, t->count);
        json_array_extend(follows, speedups);
        json_decref(speedups);
        written = record_table(s->record, t->rows, t->count, follows, error);
    }
    ladder_free(&ladder);
    return written;
}

bool report_unfinished(struct session *s, struct error *error)
{
    bool done = true;

    for (size_t i = 0; i < s->sheet_count && done; i++)
        if (s->sheets[i].rows != NULL && !s->sheets[i].shown)
            done = report(s, &s->sheets[i], error);
    return done;
}

void sheets_free(struct session *s)
{
    for (size_t i = 0; i < s->sheet_count; i++) {
        for (size_t r = 0; s->sheets[i].rows != NULL && r < s->sheets[i].count; r++)
            row_free(s->sheets[i].rows[r]);
        free(s->sheets[i].rows);
    }
    free(s->sheets);
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

static bool last_sitting(const struct session *s)
{
    return s->sitting + 1 == s->options->profile.sittings;
}

/* Fresh rows, and who takes part. */
static bool begin_table(struct session *s, struct cell *c, const struct planned *size,
                        struct error *error)
{
    cell_label(c, size->label, size->dims);
    for (size_t r = 0; r < c->row_count; r++)
        c->rows[r]->twin = s->kind->twins && r % 2 == 1;
    if (!cell_fits(c, error))
        return false;
    const double start = clock_now();
    predict(c, s->options->profile.max_time);
    c->costs.tried += clock_now() - start;
    return true;
}

static bool bench_size(struct session *s, struct cell *c, const struct planned *size,
                       struct sheet *t, struct error *error)
{
    struct profile profile = s->options->profile;
    const struct past_cell *cells;
    const size_t known = recall(s, c, size, &cells);

    if (known > 0) {
        s->progress.done += c->count;
        return !last_sitting(s) || show_again(s, cells, known, error);
    }
    const size_t rivals = s->kind->twins ? c->row_count / 2 : c->row_count;
    const size_t needed = compare_rounds_needed(rivals - 1);
    if (profile.min_rounds < needed) /* or no ratio of this table could ever be sure */
        profile.min_rounds = needed;
    if (s->sitting > 0)
        cell_take_rows(c, t->rows);
    else if (!begin_table(s, c, size, error))
        return false;
    t->rows = NULL;
    const bool timed = time_cell(c, s->options, &profile, show, s, error);
    s->progress.done += c->count;
    if (timed)
        set_limits(c, &s->ceilings);
    t->rows = cell_give_rows(c);
    t->count = c->count;
    return timed && (!last_sitting(s) || report(s, t, error));
}

/* Judges the rungs, and gives those that scale each of their values. */
static bool enlist_first(struct session *s, struct cell *c, const struct group *g, size_t count,
                         struct error *error)
{
    static const size_t any_size[MAX_AXES];
    const struct options *o = s->options;
    struct options plain = *o;
    const void *const opened = c->opened;

    plain.size_count = plain.setting_count = 0; /* the check sizes, whatever is to be timed */
    c->opened = NULL;
    cell_enlist(c, g->rungs, g->count, o->threads);
    cell_label(c, "check", any_size);
    progress_show(&s->progress, problem_name(g->problem), 0);
    if (!s->kind->twins && !check_all_sizes(c, &plain, error))
        return false;
    if (o->thread_steps.count > 0 || o->device_steps.count > 0) {
        cell_scale(c, &o->thread_steps, &o->device_steps, s->devices.count);
        s->progress.all += o->profile.sittings * count * (c->count - g->count);
    }
    c->opened = opened;
    return true;
}

/* Nobody has to come again who was not timed at any size. */
static bool never_timed(const struct sheet sheets[], size_t count, size_t rung)
{
    for (size_t t = 0; t < count; t++)
        if (sheets[t].rows != NULL && row_timed(sheets[t].rows[rung]))
            return false;
    return true;
}

/* Those of the sitting before: any table of theirs names them all. */
static void enlist_again(struct session *s, struct cell *c, const struct sheet sheets[],
                         size_t count)
{
    size_t at = 0;

    while (at < count && sheets[at].rows == NULL) /* on record since before */
        at++;
    if (at == count)
        return;
    const struct variant **rungs = calloc(sheets[at].count, sizeof *rungs);
    struct scale *scales = calloc(sheets[at].count, sizeof *scales);
    bool *absent = calloc(sheets[at].count, sizeof *absent);

    if (rungs == NULL || scales == NULL || absent == NULL)
        abort();
    for (size_t i = 0; i < sheets[at].count; i++) {
        rungs[i] = sheets[at].rows[i]->variant;
        scales[i] = sheets[at].rows[i]->scale;
        absent[i] = never_timed(sheets, count, i);
    }
    cell_enlist_scaled(c, rungs, scales, absent, sheets[at].count, s->options->threads);
    free(rungs);
    free(scales);
    free(absent);
}

/* All rungs of a problem in new workers, at each size. */
static bool measure_group(struct session *s, struct cell *c, const struct group *g,
                          const struct planned sizes[], struct sheet sheets[], size_t count,
                          struct error *error)
{
    bool done = true;

    if (s->sitting == 0)
        done = enlist_first(s, c, g, count, error);
    else
        enlist_again(s, c, sheets, count);
    s->cell = c;
    for (size_t i = 0; i < count && done && !interrupted(); i++)
        done = bench_size(s, c, &sizes[i], &sheets[i], error);
    s->cell = NULL;
    cell_dismiss(c);
    costs_add(&s->costs, &c->costs);
    return done;
}

/* Where all sizes are on record, there is nothing to be judged either. */
static bool bench_group(struct session *s, const struct group *g, size_t *sheet,
                        struct error *error)
{
    const struct options *o = s->options;
    const struct past_cell *cells;
    struct planned sizes[MAX_WORDS];
    struct sheet *const sheets = &s->sheets[*sheet];
    size_t count = 1, known = 0;
    void *opened = NULL;
    struct cell c = {.arena = s->arena, .problem = g->problem, .seed = o->seed,
                     .journal = s->kind->twins ? NULL : &s->journal, .sitting = s->sitting,
                     .timeout = fmax(o->timeout, 10.0 * o->profile.max_time)};
    bool done = true;

    if (options_brings_data(o, g->problem))
        c.opened = opened = options_open(o, g->problem, &sizes[0], error);
    else
        count = options_sizes(o, g->problem, o->profile.sizes, sizes, MAX_WORDS, error);
    if (count == 0 || error->text[0] != '\0')
        return false;
    *sheet += count;
    while (known < count && recall(s, &c, &sizes[known], &cells) > 0)
        known++;
    if (known < count)
        done = measure_group(s, &c, g, sizes, sheets, count, error);
    else
        for (size_t i = 0; i < count && done; i++)
            done = bench_size(s, &c, &sizes[i], &sheets[i], error);
    if (opened != NULL)
        g->problem->data->close(opened);
    return done;
}

bool sit(struct session *s, const struct variant *const rungs[], size_t count, struct error *error)
{
    bool done = true;

    for (size_t at = 0, sheet = 0; at < count && done && !interrupted();) {
        struct group g = group_at(rungs, count, at);
        done = bench_group(s, &g, &sheet, error);
        at += g.count;
    }
    return done;
}
