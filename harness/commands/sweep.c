/* rungs sweep: from which size on does a rung pay? */
#include "harness/commands/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/clock.h"
#include "harness/interrupt.h"
#include "harness/predict_size.h"
#include "harness/record_sweep.h"
#include "harness/registry.h"
#include "harness/resume.h"
#include "harness/table_sweep.h"

/* Many sizes, each with enough rounds for an interval that holds for all of them at once. */
static const struct profile profile_sweep = {
    .name = "sweep", .warm_time = 0.02, .min_rounds = 10, .max_rounds = 20, .width = 0.03,
    .max_time = 1.0, .block_time = 0.02, .launches = 1, .sittings = 1,
};

struct session {
    const struct options *options;
    struct arena *arena;
    struct record *record;
    struct past past; /* what earlier runs of this sweep measured, with --resume */
    struct journal journal;
    struct costs costs;
    struct progress progress;
    struct tally tally;
    struct devices devices;
    struct warnings warnings;
    struct ceilings ceilings; /* of this machine, or none */
    struct sweep sweep; /* of the problem whose turn it is */
    size_t size;
    bool first; /* nothing has been printed yet */
};

static void show(void *context, const struct entrant *e, size_t round)
{
    struct session *s = context;
    char text[200], axes[64];

    sweep_axes(&s->sweep, axes, sizeof axes);
    snprintf(text, sizeof text, "%s %s=%zu", variant_name(e->worker.variant).full, axes,
             sweep_length(&s->sweep, s->size));
    progress_show(&s->progress, text, round);
}

/* --- a size ----------------------------------------------------------------------------------- */

/* False: nothing more is to be done, with an error where that is one. */
static bool measure_size(struct session *s, struct cell *c, struct error *error)
{
    struct sweep *w = &s->sweep;
    const struct planned *size = &w->sizes[s->size];

    cell_label(c, size->label, size->dims);
    predict_size(w, s->size, c, s->options->profile.max_time);
    if (!time_cell(c, s->options, &s->options->profile, show, s, error))
        return false;
    if (interrupted())
        return true; /* half a size is none: it will be measured again */
    set_limits(c, &s->ceilings);
    for (size_t i = 0; i < c->row_count; i++)
        sweep_keep(w, s->size, i, c->rows[i]);
    return record_table(s->record, c->rows, c->row_count, NULL, error);
}

/* Sizes beyond what memory holds end the sweep, unless there are no others. */
static bool fits(struct session *s, struct cell *c, struct error *error)
{
    struct sweep *w = &s->sweep;
    const struct planned *size = &w->sizes[s->size];
    char axes[64];

    cell_label(c, size->label, size->dims);
    if (cell_fits(c, error))
        return true;
    if (s->size > 0) {
        sweep_axes(w, axes, sizeof axes);
        progress_clear(&s->progress);
        fprintf(stderr, "rungs: the sweep ends below %s=%zu: %s\n", axes, sweep_length(w, s->size),
                error->text);
        w->size_count = s->size;
        error->text[0] = '\0';
    }
    return false;
}

static bool measure(struct session *s, struct error *error)
{
    static const size_t any_size[MAX_AXES];
    struct sweep *w = &s->sweep;
    const struct options *o = s->options;
    struct options plain = *o;
    struct cell c = {.arena = s->arena, .problem = w->problem, .seed = o->seed, .journal = &s->journal,
                     .timeout = fmax(o->timeout, 10.0 * o->profile.max_time)};

    plain.size_count = plain.setting_count = 0; /* the check sizes, whatever is to be timed */
    cell_enlist(&c, w->rungs, w->rung_count, o->threads);
    cell_label(&c, "check", any_size);
    progress_show(&s->progress, problem_name(w->problem), 0);
    bool done = check_all_sizes(&c, &plain, error);
    for (s->size = 0; s->size < w->size_count && done && !interrupted(); s->size++) {
        if (sweep_row(w, s->size, 0) == NULL) {
            if (!fits(s, &c, error)) {
                done = error->text[0] == '\0';
                break;
            }
            done = measure_size(s, &c, error);
        }
        s->progress.done += w->rung_count;
    }
    cell_dismiss(&c);
    costs_add(&s->costs, &c.costs);
    return done;
}

/* --- what came of it -------------------------------------------------------------------------- */

static void print_json(json_t *object)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));

    puts(text != NULL ? text : "null");
    free(text);
}

/* On record, and where JSON is asked for, printed; the object is gone. */
static bool tell(const struct session *s, json_t *object, struct error *error)
{
    if (s->options->format == FORMAT_JSON)
        print_json(object);
    return record_object(s->record, object, error);
}

static bool tell_crossovers(const struct session *s, struct error *error)
{
    const struct sweep *w = &s->sweep;
    struct curve c;

    for (size_t i = 0; i < w->rung_count; i++)
        for (enum view view = 0; view < VIEWS && w->of[i]; view++) {
            if (!sweep_curve(w, i, view, &c))
                continue;
            if (!tell(s, json_crossover(w, i, view, &c), error))
                return false;
            for (size_t point = 0; point < c.count && view == VIEW_E2E; point++)
                if (!tell(s, json_break_even(w, i, &c, point), error))
                    return false;
        }
    return true;
}

static bool report(struct session *s, struct error *error)
{
    const struct sweep *w = &s->sweep;
    const enum format format = s->options->format;
    const bool markdown = format == FORMAT_MARKDOWN;

    progress_clear(&s->progress);
    for (size_t size = 0; size < w->size_count; size++) {
        if (sweep_row(w, size, 0) == NULL)
            continue;
        for (size_t i = 0; i < w->rung_count; i++)
            tally_row(&s->tally, sweep_row(w, size, i));
        if (format == FORMAT_CSV || format == FORMAT_JSON) {
            table_bench(stdout, format, &w->rows[size * w->rung_count], w->rung_count, NULL,
                        s->first);
            s->first = false;
        }
    }
    if (format == FORMAT_TABLE || markdown)
        table_sweep(stdout, markdown, w);
    if (interrupted()) {
        fprintf(stderr, "rungs: interrupted; with --resume %s it goes on\n",
                record_path(s->record));
        return true;
    }
    if (format == FORMAT_TABLE || markdown)
        table_crossovers(stdout, markdown, w);
    bool told = tell_crossovers(s, error);
    fflush(stdout);
    return told;
}

static bool sweep_group(struct session *s, const struct group *g, struct error *error)
{
    struct sweep *w = &s->sweep;

    if (!sweep_plan(w, s->options, g->problem, error))
        return false;
    sweep_enlist(w, s->options, g->rungs, g->count);
    resume_sweep(&s->past, w);
    bool done = record_object(s->record, json_sweep(w, s->options), error) &&
                (sweep_is_whole(w) || measure(s, error)) && report(s, error);
    sweep_free(w);
    return done;
}

/* --- the command ------------------------------------------------------------------------------ */

/* Before anything is written or run. */
static bool sound(const struct options *o, const struct variant *const rungs[], size_t count,
                  size_t *cells, struct error *error)
{
    struct sweep w;

    if (o->size_count > 0)
        return error_set(error, "sweep takes --from and --to, not --size");
    if (o->out != NULL && o->resume != NULL)
        return error_set(error, "--resume goes on with its own file; --out names another");
    for (size_t at = 0; at < count;) {
        struct group g = group_at(rungs, count, at);
        if (options_brings_data(o, g.problem))
            return error_set(error, "sweep makes its data, in many sizes; bench takes files");
        if (!sweep_plan(&w, o, g.problem, error))
            return false;
        *cells += w.size_count * g.count;
        at += g.count;
    }
    return options_all_match(o->of, o->of_count, "of", rungs, count, error) &&
           options_all_match(o->against, o->against_count, "against", rungs, count, error);
}

/* Records to write to, and those that are there. */
static bool open_records(struct session *s, struct record_run *about, struct error *error)
{
    const struct options *o = s->options;
    struct error ignored;

    s->record = o->resume != NULL ? record_continue(o->resume, error)
                                  : record_open(o->out, "sweep", error);
    s->journal = (struct journal){.record = s->record};
    if (s->record == NULL || o->resume == NULL || record_is_empty(s->record))
        return s->record != NULL;
    if (!past_read_all(o->resume, &s->past, error) || !resume_fits(&s->past, about, error))
        return false;
    about->resumes = s->past.runs[s->past.run_count - 1].id;
    /* Half a size is of use only to the same rungs, in the same order. */
    if (resume_same_words(&s->past, about, &ignored))
        s->journal.past = &s->past;
    return true;
}

static int run_all(struct session *s, const struct variant *const rungs[], size_t count,
                   struct error *error)
{
    const struct options *o = s->options;
    struct record_run about = about_run(o, &s->devices, &s->warnings);
    double start = clock_now();

    if (!open_records(s, &about, error)) {
        record_close(s->record);
        return usage_error(error);
    }
    bool done = record_run(s->record, &about, error);
    find_ceilings(&s->ceilings);
    print_header(o, &s->devices, &s->warnings, s->record);
    for (size_t at = 0; at < count && done && !interrupted();) {
        struct group g = group_at(rungs, count, at);
        done = sweep_group(s, &g, error);
        at += g.count;
    }
    progress_clear(&s->progress);
    return command_end(s->record, done ? tally_status(&s->tally) : STATUS_USAGE,
                       clock_now() - start, &s->costs, error);
}

static int run(const struct options *asked)
{
    const struct variant *rungs[MAX_VARIANTS];
    struct options o = *asked;
    struct error error = {.text = ""};
    struct session s = {.options = &o, .first = true};
    size_t cells = 0, count = options_select(&o, rungs, MAX_VARIANTS, &error);

    if (strcmp(o.profile.name, profile_default.name) == 0) {
        o.profile = profile_sweep;
        o.profile.max_time = o.max_time > 0.0 ? o.max_time : profile_sweep.max_time;
    }
    if (count == 0 || !sound(&o, rungs, count, &cells, &error) ||
        (s.arena = arena_create(&error)) == NULL)
        return usage_error(&error);
    devices_find(&s.devices, rungs, count, s.arena);
    telemetry_open(&s.devices);
    preflight(&s.warnings, &s.devices, o.threads);
    progress_start(&s.progress, cells);
    int status = run_all(&s, rungs, count, &error);
    past_free(&s.past);
    return status;
}

const struct command command_sweep = {
    .name = "sweep",
    .usage = "sweep [PATTERN...] [--from N] [--to N] [--step 2] [--resume FILE]",
    .about = "time rungs from small sizes to large, and say from which on one pays",
    .help =
        "Judges the rungs, then times all of them at each size, from the caches to memory, briefly:\n"
        "10 to 20 rounds, 3 %, 1 second a rung and size unless --max-time says otherwise.  A rung\n"
        "that would take longer than that for one call is left out from there on.  Then it says of\n"
        "each rung on a GPU from which size on it is faster than the fastest on the CPU, end to end\n"
        "and with the data there already, and after how many calls its start has paid.\n"
        "  --from N, --to N         bounds of the axes that grow (the others may be set: --k 3)\n"
        "  --step F                 the factor from one size to the next (2)\n"
        "  --of PATTERN             ask this of these rungs, on a GPU or not\n"
        "  --against PATTERN        compare with the fastest of these\n"
        "  --resume FILE            go on with the records of a sweep that was ended: sizes that\n"
        "                           are in there are not measured again\n",
    .run = run,
};
