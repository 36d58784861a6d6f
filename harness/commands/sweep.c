/* rungs sweep: finds from which size on a variant is faster than the baseline. */
#include "harness/commands/select.h"
#include "harness/commands/session.h"
#include "harness/commands/sizes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/interrupt.h"
#include "harness/measure/predict.h"
#include "harness/model/registry.h"
#include "harness/records/derived.h"
#include "harness/table/sweep.h"

/* Short, because there are many sizes.  Each gets enough rounds for intervals that hold for all sizes at
   once. */
static const struct preset preset_sweep = {
    .name = "sweep", .warm_time = 0.02, .min_rounds = 10, .max_rounds = 20, .width = 0.03,
    .max_time = 1.0, .block_time = 0.02, .passes = 1,
};

struct sweeping {
    struct session session;
    struct sweep sweep; /* of the current problem */
    size_t size;
};

static void show(void *context, const struct entrant *e, size_t round)
{
    struct sweeping *w = context;
    char text[200], axes[64];

    sweep_axes(&w->sweep, axes, sizeof axes);
    snprintf(text, sizeof text, "%s %s=%zu", e->worker.variant->name.full, axes,
             sweep_length(&w->sweep, w->size));
    progress_show(&w->session.progress, text, round);
}

/* --- a size ----------------------------------------------------------------------------------- */

/* Measures and records one size.  False with an error. */
static bool measure_size(struct sweeping *w, struct cell *c, struct error *error)
{
    struct session *s = &w->session;
    const struct preset *preset = &s->options->preset;

    predict_size(&w->sweep, w->size, c, preset->max_time);
    if (!session_time(s, c, preset, show, w, error))
        return false;
    if (interrupted())
        return true; /* an unfinished size is not recorded; --resume measures it again */
    for (size_t i = 0; i < c->count; i++)
        sweep_keep(&w->sweep, w->size, i, c->results[i]);
    return record_table(s->record, c->results, c->count, NULL, error);
}

/* Ends the sweep at a size that does not fit memory.  If that is the first size, it is an error. */
static bool end_below(struct sweeping *w, const struct error *error)
{
    char axes[64];

    if (w->size == 0)
        return false;
    sweep_axes(&w->sweep, axes, sizeof axes);
    progress_clear(&w->session.progress);
    fprintf(stderr, "rungs: the sweep ends before %s=%zu: %s\n", axes,
            sweep_length(&w->sweep, w->size), error->text);
    w->sweep.size_count = w->size;
    return true;
}

static bool measure_sizes(struct sweeping *w, struct cell *c, struct error *error)
{
    for (w->size = 0; w->size < w->sweep.size_count && !interrupted(); w->size++) {
        const struct planned *size = &w->sweep.sizes[w->size];
        if (sweep_row(&w->sweep, w->size, 0) == NULL) {
            cell_label(c, size->label, size->dims);
            if (!cell_fits(c, false, error))
                return end_below(w, error);
            if (!measure_size(w, c, error))
                return false;
        }
        w->session.progress.done += w->sweep.variant_count;
    }
    return true;
}

static bool measure(struct sweeping *w, const struct group *g, struct error *error)
{
    struct session *s = &w->session;
    const struct options *o = s->options;
    struct cell c = {.arena = s->arena, .problem = g->problem, .seed = o->seed,
                     .journal = &s->journal,
                     .timeout = fmax(o->timeout, 10.0 * o->preset.max_time)};

    progress_show(&s->progress, problem_name(g->problem), 0);
    const bool done = check_before_timing(&c, g, o, error) && measure_sizes(w, &c, error);
    cell_dismiss(&c);
    costs_add(&s->costs, &c.costs);
    return done;
}

/* --- output ----------------------------------------------------------------------------------- */

static bool tell_crossovers(const struct session *s, const struct sweep *w, struct error *error)
{
    const enum format format = s->options->format;
    struct curve c;

    for (size_t i = 0; i < w->variant_count; i++)
        for (enum view view = 0; view < VIEWS && w->contender[i]; view++) {
            if (!sweep_curve(w, i, view, &c))
                continue;
            json_t *crossover = derived_crossover(w, i, view, &c);
            if (!record_and_print(s->record, crossover, format, error))
                return false;
            for (size_t point = 0; point < c.count && view == VIEW_E2E; point++)
                if (!record_and_print(s->record, derived_break_even(w, i, &c, point), format, error))
                    return false;
        }
    return true;
}

static bool report(struct session *s, const struct sweep *w, struct error *error)
{
    const enum format format = s->options->format;
    const bool markdown = format == FORMAT_MARKDOWN;

    progress_clear(&s->progress);
    for (size_t size = 0; size < w->size_count; size++) {
        if (sweep_row(w, size, 0) == NULL)
            continue;
        for (size_t i = 0; i < w->variant_count; i++)
            tally_result(&s->tally, sweep_row(w, size, i));
        if (format == FORMAT_CSV || format == FORMAT_JSON) {
            table_bench(stdout, format, &w->rows[size * w->variant_count], w->variant_count, NULL,
                        !s->begun);
            s->begun = true;
        }
    }
    if (format == FORMAT_TABLE || markdown)
        table_sweep(stdout, format, w);
    if (interrupted()) {
        session_note_interruption(s);
        return true;
    }
    if (format == FORMAT_TABLE || markdown)
        table_crossovers(stdout, markdown, w);
    bool told = tell_crossovers(s, w, error);
    fflush(stdout);
    return told;
}

static bool sweep_group(struct sweeping *sweeping, const struct group *g, struct error *error)
{
    struct sweep *w = &sweeping->sweep;
    struct session *s = &sweeping->session;
    const struct options *o = s->options;
    const struct sides sides = {o->contenders.word, o->baseline.word, o->contenders.count, o->baseline.count};

    if (!sizes_plan(w, o, g->problem, error))
        return false;
    sweep_enlist(w, &sides, g->variants, g->count);
    resume_sweep(&s->past, w);
    bool done = record_object(s->record, derived_sweep(w, &sides, o->step), error) &&
                (sweep_is_whole(w) || measure(sweeping, g, error)) && report(s, w, error);
    sweep_free(w);
    return done;
}

/* --- the command ------------------------------------------------------------------------------ */

/* Checks the command line before anything is written or run. */
static bool sound(const struct options *o, const struct card *const variants[], size_t count,
                  size_t *cells, struct error *error)
{
    struct sweep w;

    if (!session_one_file(o, error))
        return false;
    for (struct group g = group_first(variants, count); g.count > 0; g = group_next(&g)) {
        if (!sizes_plan(&w, o, g.problem, error))
            return false;
        *cells += w.size_count * g.count;
    }
    return select_all_match(&o->contenders, variants, count, error) &&
           select_all_match(&o->baseline, variants, count, error);
}

static int run(const struct options *asked)
{
    const struct card *variants[MAX_VARIANTS];
    struct options o = *asked;
    struct error error;
    struct sweeping w = {.session = {.options = &o, .may_differ = true}};
    struct session *s = &w.session;
    size_t cells = 0, count = select_measured(&o, variants, MAX_VARIANTS, &error);

    if (strcmp(o.preset.name, preset_default.name) == 0) {
        const double wanted = o.preset.max_time; /* by the user's defaults, where nothing is typed */
        o.preset = preset_sweep;
        if (o.max_time > 0.0 || wanted != preset_default.max_time)
            o.preset.max_time = wanted;
    }
    if (count == 0 || !sound(&o, variants, count, &cells, &error) ||
        !session_begin(s, variants, count, &error) || !session_open(s, "sweep", &error))
        return usage_error(&error);
    progress_start(&s->progress, cells, s->options->quiet);
    session_announce(s);
    bool done = true;
    for (struct group g = group_first(variants, count); g.count > 0 && done && !interrupted();
         g = group_next(&g))
        done = sweep_group(&w, &g, &error);
    progress_clear(&s->progress);
    return session_end(s, done ? tally_status(&s->tally) : STATUS_USAGE, true, &error);
}

const struct command command_sweep = {
    .name = "sweep",
    .usage = "sweep [PATTERN...] [--from N] [--to N] [--step 2] [--resume FILE]",
    .about = "time variants from small sizes to large, and find from which size on each is faster",
    .help =
        "Judges the variants, then times them at each size, from the caches to memory.  A size gets 10 to\n"
        "20 rounds, an interval of +-3 %, and 1 second for each variant (--max-time).  A variant is left\n"
        "out from the size on at which one call would take longer.\n"
        "Then sweep says from which size on each contender is faster than the fastest variant of the\n"
        "baseline, end to end and resident (data already on the device), and after how many calls its\n"
        "setup pays off.  Contenders are the GPU variants and the baseline the CPU variants,\n"
        "unless --contenders and --baseline name others.\n",
    .words = "VARIANT",
    .run = run,
};
