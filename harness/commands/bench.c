/* rungs bench: judges and times variants, in passes of fresh processes, and prints their tables. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/base/terminal.h"
#include "harness/base/text.h"
#include "harness/commands/legend_due.h"
#include "harness/commands/select.h"
#include "harness/commands/session.h"
#include "harness/commands/sizes.h"
#include "harness/machine/mps.h"
#include "harness/measure/predict.h"
#include "harness/measure/scaling.h"
#include "harness/model/registry.h"
#include "harness/records/derived.h"
#include "harness/records/listing.h"
#include "harness/records/records.h"
#include "harness/records/speedup.h"

/* One table: the results of a problem at a size, over all passes. */
struct sheet {
    struct result **results; /* NULL: not begun, or taken from the file that --resume names */
    const struct card **variants; /* of each */
    size_t count;
    bool shown;
};

struct bench {
    struct session session;
    const struct bench_kind *kind;
    const struct cell *cell; /* the one being timed */
    unsigned pass;
    struct sheet *sheets; /* in the order in which a pass measures them */
    size_t sheet_count;
};

static void show(void *context, const struct entrant *e, size_t round)
{
    struct bench *b = context;

    progress_cell(&b->session.progress, b->cell, e, round);
}

static void count_table(struct session *s, struct result *const results[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        tally_result(&s->tally, results[i]);
    progress_clear(&s->progress);
}

static void show_table(struct session *s, struct result *const results[], size_t count,
                       const struct ladder *ladder)
{
    count_table(s, results, count);
    table_bench(stdout, s->options->format, results, count, ladder, !s->begun);
    s->begun = true;
}

/* An interrupted table is not recorded.  Its blocks are, and --resume continues from them. */
static bool report_ladder(struct session *s, struct sheet *t, struct error *error)
{
    struct ladder ladder = ladder_make(t->results, t->count);
    bool written = true;

    show_table(s, t->results, t->count, &ladder);
    if (!interrupted())
        written = record_table(s->record, t->results, t->count,
                               derived_table(&ladder, t->results, t->count), error);
    ladder_free(&ladder);
    return written;
}

static bool report(struct bench *b, struct sheet *t, struct error *error)
{
    struct session *s = &b->session;

    t->shown = true;
    if (b->kind->report == NULL)
        return report_ladder(s, t, error);
    count_table(s, t->results, t->count);
    return record_table(s->record, t->results, t->count, NULL, error) &&
           b->kind->report(b->kind->context, t->results, t->count, s->record, error);
}

/* Prints the tables that an interrupted run has begun and not finished. */
static bool report_unfinished(struct bench *b, struct error *error)
{
    bool done = true;

    for (size_t i = 0; i < b->sheet_count && done; i++)
        if (b->sheets[i].results != NULL && !b->sheets[i].shown)
            done = report(b, &b->sheets[i], error);
    return done;
}

/* Compares results of several tables, which a run has that was not resumed. */
static void show_weak(const struct bench *b)
{
    const struct options *o = b->session.options;
    struct result **all = NULL;
    size_t count = 0;

    if (!o->weak || o->format == FORMAT_CSV || o->format == FORMAT_JSON)
        return;
    for (size_t i = 0; i < b->sheet_count; i++)
        for (size_t r = 0; b->sheets[i].results != NULL && r < b->sheets[i].count; r++) {
            all = realloc(all, (count + 1) * sizeof *all);
            if (all == NULL)
                abort();
            all[count++] = b->sheets[i].results[r];
        }
    table_weak(stdout, o->format, all, count);
    free(all);
}

static void free_sheets(struct bench *b)
{
    for (size_t i = 0; i < b->sheet_count; i++) {
        struct sheet *t = &b->sheets[i];
        for (size_t r = 0; t->results != NULL && r < t->count; r++)
            result_free(t->results[r]);
        free(t->results);
        free(t->variants);
    }
    free(b->sheets);
}

/* --- results of an earlier run ---------------------------------------------------------------- */

/* Finds the results of a size on record.  Returns their number, and in *at the place of the first. */
static size_t recall(const struct session *s, const struct cell *c, const struct planned *size,
                     size_t *at)
{
    const char *problem = problem_name(c->problem);

    *at = 0;
    for (size_t i = 0, count; i < s->past.result_count; i += count) {
        const struct result *r = &s->past.results[i];
        count = records_table_length(&s->past, i);
        *at = i;
        if (strcmp(r->problem, problem) == 0 && strcmp(r->label, size->label) == 0 &&
            result_has_size(r, c->problem, size->dims))
            return count;
    }
    return 0;
}

static bool show_again(struct session *s, size_t at, size_t count, struct error *error)
{
    struct listing l;

    if (!listing_make(&l, &s->past, at, count, error))
        return false;
    show_table(s, l.results, l.count, &l.ladder);
    listing_free(&l);
    return true;
}

/* --- a size ----------------------------------------------------------------------------------- */

static bool last_pass(const struct bench *b)
{
    return b->pass + 1 == b->session.options->preset.passes;
}

/* Begins the results of a size, and predicts which variants would take too long. */
static bool begin_table(struct bench *b, struct cell *c, const struct planned *size,
                        struct error *error)
{
    cell_label(c, size->label, size->dims);
    for (size_t i = 0; i < c->count; i++)
        c->results[i]->twin = b->kind->twins && i % 2 == 1;
    if (!cell_fits(c, false, error))
        return false;
    const enum account before = costs_switch(&c->costs, COST_TRIED);
    predict(c, b->session.options->preset.max_time);
    costs_switch(&c->costs, before);
    return true;
}

/* Keeps the results for the next pass and for the table. */
static void keep_results(struct sheet *t, struct cell *c)
{
    t->results = cell_give_results(c);
    t->count = c->count;
    if (t->variants == NULL)
        t->variants = calloc(t->count + 1, sizeof *t->variants);
    if (t->variants == NULL)
        abort();
    for (size_t i = 0; i < t->count; i++)
        t->variants[i] = c->entrants[i].worker.variant;
}

static bool bench_size(struct bench *b, struct cell *c, const struct planned *size,
                       struct sheet *t, struct error *error)
{
    struct session *s = &b->session;
    struct preset preset = s->options->preset;
    size_t at;
    const size_t known = recall(s, c, size, &at);

    if (known > 0) {
        s->progress.done += c->count;
        return !last_pass(b) || show_again(s, at, known, error);
    }
    const size_t contenders = b->kind->twins ? c->count / 2 : c->count;
    const size_t needed = compare_rounds_needed(contenders - 1);
    if (preset.min_rounds < needed) /* with fewer, no ratio of this table could be sure */
        preset.min_rounds = needed;
    if (b->pass > 0)
        cell_take_results(c, t->results, size->dims);
    else if (!begin_table(b, c, size, error))
        return false;
    t->results = NULL;
    const bool timed = session_time(s, c, &preset, show, b, error);
    s->progress.done += c->count;
    keep_results(t, c);
    return timed && (!last_pass(b) || report(b, t, error));
}

/* Judges the variants.  Those that scale get an entrant for each number of threads, devices or ranks. */
static bool enlist_first(struct bench *b, struct cell *c, const struct group *g, size_t count,
                         struct error *error)
{
    struct session *s = &b->session;
    const struct options *o = s->options;
    void *const opened = c->opened;

    c->opened = NULL;
    progress_show(&s->progress, problem_name(g->problem), 0);
    if (b->kind->twins)
        check_enlist(c, g, o);
    else if (!check_before_timing(c, g, o, error))
        return false;
    if (o->thread_steps.count + o->device_steps.count + o->rank_steps.count + o->process_steps.count > 0) {
        cell_scale(c, &(struct axes){o->thread_steps, o->device_steps, o->rank_steps, o->process_steps}, s->devices.count);
        s->progress.all += o->preset.passes * count * (c->count - g->count);
    }
    c->opened = opened;
    return true;
}

/* Was the variant timed at no size?  Later passes leave it out. */
static bool never_timed(const struct sheet sheets[], size_t count, size_t variant)
{
    for (size_t t = 0; t < count; t++)
        if (sheets[t].results != NULL && result_timed(sheets[t].results[variant]) &&
            !result_single_call(sheets[t].results[variant]))
            return false;
    return true;
}

/* Enlists the variants of the pass before, which any of its tables lists. */
static void enlist_again(struct bench *b, struct cell *c, const struct sheet sheets[],
                         size_t count)
{
    size_t at = 0;

    while (at < count && sheets[at].results == NULL) /* on record from an earlier run */
        at++;
    if (at == count)
        return;
    const struct sheet *t = &sheets[at];
    struct scale *scales = calloc(t->count + 1, sizeof *scales);
    bool *absent = calloc(t->count + 1, sizeof *absent);

    if (scales == NULL || absent == NULL)
        abort();
    for (size_t i = 0; i < t->count; i++) {
        scales[i] = t->results[i]->scale;
        absent[i] = never_timed(sheets, count, i);
    }
    cell_enlist_scaled(c, t->variants, scales, absent, t->count, b->session.options->threads);
    free(scales);
    free(absent);
}

/* Measures all variants of a problem at each size, in new workers. */
static bool measure_group(struct bench *b, struct cell *c, const struct group *g,
                          const struct planned sizes[], struct sheet sheets[], size_t count,
                          struct error *error)
{
    bool done = true;

    if (b->pass == 0)
        done = enlist_first(b, c, g, count, error);
    else
        enlist_again(b, c, sheets, count);
    b->cell = c;
    for (size_t i = 0; i < count && done && !interrupted(); i++)
        done = bench_size(b, c, &sizes[i], &sheets[i], error);
    b->cell = NULL;
    cell_dismiss(c);
    costs_add(&b->session.costs, &c->costs);
    return done;
}

/* Judges and measures a problem at the sizes that are not on record. */
static bool bench_group(struct bench *b, const struct group *g, size_t *sheet,
                        struct error *error)
{
    struct session *s = &b->session;
    const struct options *o = s->options;
    struct planned sizes[MAX_WORDS];
    struct sheet *const sheets = &b->sheets[*sheet];
    size_t count = 1, known = 0, at;
    void *opened = NULL;
    struct cell c = {.arena = s->arena, .problem = g->problem, .seed = o->seed,
                     .journal = b->kind->twins ? NULL : &s->journal, .pass = b->pass,
                     .timeout = fmax(o->timeout, 10.0 * o->preset.max_time)};
    bool done = true;

    if (sizes_has_files(o, g->problem))
        done = (c.opened = opened = sizes_open_files(o, g->problem, &sizes[0], error)) != NULL;
    else
        done = sizes_of_bench(o, g->problem, sizes, MAX_WORDS, &count, error);
    if (!done)
        return false;
    if (b->pass == 0 && o->format == FORMAT_TABLE && user_data_parts(g->problem->data, opened) > 1)
        terminal_printf(stdout, "%s: the file has %zu %ss; each is judged, and times are those of one\n",
                        problem_name(g->problem), user_data_parts(g->problem->data, opened),
                        g->problem->data->parts->name);
    *sheet += count;
    while (known < count && recall(s, &c, &sizes[known], &at) > 0)
        known++;
    if (known < count)
        done = measure_group(b, &c, g, sizes, sheets, count, error);
    else
        for (size_t i = 0; i < count && done; i++)
            done = bench_size(b, &c, &sizes[i], &sheets[i], error);
    if (opened != NULL)
        g->problem->data->close(opened);
    return done;
}

/* Measures all problems and sizes once.  The last pass also prints and records the tables. */
static bool bench_pass(struct bench *b, const struct card *const variants[], size_t count,
                       struct error *error)
{
    bool done = true;
    size_t sheet = 0;

    for (struct group g = group_first(variants, count); g.count > 0 && done && !interrupted();
         g = group_next(&g))
        done = bench_group(b, &g, &sheet, error);
    return done;
}

/* --- the command ------------------------------------------------------------------------------ */

/* Processes on a GPU take turns without it. */
static void print_mps(const struct session *s)
{
    const char *state = mps_state();

    if (s->options->process_steps.count == 0 || s->devices.count == 0)
        return;
    terminal_printf(stdout, "%s\n", strcmp(state, "server") == 0 ? "An MPS server runs on this machine."
                                    : strcmp(state, "control") == 0
                                        ? "MPS: its control daemon is there; no server was seen."
                                        : "No MPS server runs on this machine; rungs starts none.");
}

static void print_footer(const struct session *s)
{
    char text[640], beyond[512];

    if (s->options->format != FORMAT_TABLE)
        return;
    if (legend_due(s->options, "bench"))
        table_legend(stdout);
    if (s->ceilings.count > 0)
        snprintf(text, sizeof text, "Peaks of this machine: %s\n", s->ceilings.file);
    else
        snprintf(text, sizeof text, "There is no column \"%% of peak\", because the peaks of this machine "
                 "are not measured yet: run \"rungs ceilings\".\n");
    terminal_prose(stdout, text);
    print_mps(s);
    char path[2 * PATH_MAX];

    text_quote(record_path(s->record), path, sizeof path);
    printf("Confidence intervals: rungs compare %s\n", path);
    if (select_left_out(s->options, true, text, sizeof text))
        terminal_printf(stdout, "%s\n", text);
    if (select_beyond_default(s->options, beyond, sizeof beyond)) {
        snprintf(text, sizeof text, "Only with --all or by name: %s\n", beyond);
        terminal_prose(stdout, text);
    }
}

/* Counts variants times sizes, and tables, before anything is written or run.  False: a size is wrong. */
static bool count_cells(const struct options *o, const struct card *const variants[], size_t count,
                        size_t *cells, size_t *tables, struct error *error)
{
    struct planned sizes[MAX_WORDS];

    for (struct group g = group_first(variants, count); g.count > 0; g = group_next(&g)) {
        size_t of_each = 1;
        if (!sizes_has_files(o, g.problem) &&
            !sizes_of_bench(o, g.problem, sizes, MAX_WORDS, &of_each, error))
            return false;
        *cells += of_each * g.count;
        *tables += of_each;
    }
    return true;
}

/* Lists each variant twice. */
static size_t double_up(const struct card *variants[], size_t count)
{
    for (size_t i = 2 * count; i-- > 0;)
        variants[i] = variants[i / 2];
    return 2 * count;
}

/* Runs all passes and ends the output.  Returns the exit status. */
static int run_passes(struct bench *b, const struct card *const variants[], size_t count,
                      struct error *error)
{
    struct session *s = &b->session;
    const struct bench_kind *kind = b->kind;
    bool done = true;

    for (; b->pass < s->options->preset.passes && done && !interrupted(); b->pass++)
        done = bench_pass(b, variants, count, error);
    if (done && interrupted())
        done = report_unfinished(b, error);
    progress_clear(&s->progress);
    int status = done ? tally_status(&s->tally) : STATUS_USAGE;
    if (done && kind->finish != NULL)
        status = kind->finish(kind->context, &s->tally, s->record);
    else if (done) {
        show_weak(b);
        print_footer(s);
    }
    if (interrupted() && !kind->twins)
        session_note_interruption(s);
    return status;
}

/* A result is on one axis. */
static bool axes_agree(const struct options *o, struct error *error)
{
    return o->process_steps.count == 0 || o->thread_steps.count + o->device_steps.count == 0 ||
           error_set(error, "--processes goes with one number of threads and devices: --threads 4, not 1,2,4");
}

int bench_run(const struct options *o, const struct bench_kind *kind)
{
    const struct card *variants[2 * MAX_VARIANTS];
    struct error error;
    struct bench b = {.session = {.options = o}, .kind = kind};
    struct session *s = &b.session;
    size_t cells = 0, count = select_measured(o, variants, MAX_VARIANTS, &error);

    if (count == 0 || !axes_agree(o, &error) || !count_cells(o, variants, count, &cells, &b.sheet_count, &error) ||
        !session_one_file(o, &error) || !session_begin(s, variants, count, &error) ||
        !session_open(s, kind->name, &error))
        return usage_error(&error);
    if (kind->twins) {
        count = double_up(variants, count);
        cells *= 2;
    }
    b.sheets = calloc(b.sheet_count, sizeof *b.sheets);
    if (b.sheets == NULL)
        abort();
    session_announce(s);
    progress_start(&s->progress, cells * o->preset.passes, o->quiet);
    s->progress.most = o->preset.max_time / o->preset.passes;
    const int status = run_passes(&b, variants, count, &error);
    free_sheets(&b);
    return session_end(s, status, true, &error);
}

static int run(const struct options *o)
{
    return bench_run(o, &(struct bench_kind){.name = "bench"});
}

const struct command command_bench = {
    .name = "bench",
    .usage = "bench [PATTERN...] [--size S,M] [--quick] [--threads 1,2,4] [--resume FILE]",
    .about = "judge and time variants; print one table for each problem and size",
    .help = "The default sizes are S and M, with --quick S, for knn also S-town.  A variant is timed only if its results\n"
            "are right, and is judged again after timing.  The variants of a table take turns.  Each run\n"
            "writes a new file of records: results/bench-DATE-HOST.jsonl, or the file that --out names.\n",
    .words = "VARIANT",
    .run = run,
};
