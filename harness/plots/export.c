#include "harness/plots/export.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/records/ladder.h"
#include "harness/records/speedup.h"
#include "harness/table/columns.h"
#include "harness/table/table.h"

/* The range of times that a clock can give, in seconds.  Other times were not written by this program. */
static const double SHORTEST = 1e-12, LONGEST = 1e9;

enum { FEWEST_SIZES = 3 }; /* of a sweep */

/* --- times and ratios ------------------------------------------------------------------------- */

static bool plausible(const struct series *s)
{
    for (size_t i = 0; i < s->rounds; i++)
        if (!(s->round[i] >= SHORTEST && s->round[i] <= LONGEST))
            return false;
    return true;
}

static bool check_times(const struct records *p, struct error *error)
{
    for (size_t i = 0; i < p->result_count; i++) {
        const struct result *c = &p->results[i];
        if (result_timed(c) && !(plausible(&c->time[PHASE_E2E]) && plausible(&c->time[PHASE_RUN])))
            return error_set(error, "%s:%zu: %s has an impossible time", p->file, c->line,
                             c->variant);
    }
    return true;
}

static void put_resident(struct tidy *t, const struct result *c)
{
    const bool known = result_timed(c) && c->time[PHASE_RUN].rounds > 0 && !result_on_cpu(c);
    const struct summary run = series_summary(&c->time[PHASE_RUN]);

    tidy_number(t, "resident_s", known ? run.median : NAN);
    tidy_number(t, "resident_low_s", known ? run.low : NAN);
    tidy_number(t, "resident_high_s", known ? run.high : NAN);
}

/* Adds a ratio with its mark.  Without common rounds it is the ratio of the medians, marked unresolved. */
static void put_mark(struct tidy *t, const struct comparisons *s, enum role role,
                     const struct result *self)
{
    const struct result *than = s->baseline[role];
    struct comparison c = s->e2e[role];
    char text[32], name[32];

    if (than != NULL && result_timed(than) && result_timed(self) && !isfinite(c.ratio)) {
        c.ratio = series_median(&than->time[PHASE_E2E]) / series_median(&self->time[PHASE_E2E]);
        c.finding = UNRESOLVED;
    }
    table_ratio(&c, text, sizeof text);
    snprintf(name, sizeof name, "%s_mark", role_names[role]);
    const char *own = role == ROLE_SINGLE || role == ROLE_MULTI ? "best" : "1";
    tidy_text(t, name, than == self ? own : text);
}

/* --- scaling ---------------------------------------------------------------------------------- */

/* One table: the measurements of a run, problem and size. */
struct table {
    const struct records *p;
    struct result *const *results;
    size_t count, number, speedup_count;
    struct speedup *speedups;
};

/* Returns the number of threads, devices or ranks; 0: all, or it does not scale. */
static int given(const struct result *c)
{
    return scale_value(&c->scale);
}

/* Is there the same variant on more threads, devices or ranks? */
static bool outgrown(const struct table *t, const struct result *c)
{
    for (size_t i = 0; given(c) > 0 && i < t->count; i++)
        if (given(t->results[i]) > given(c) &&
            strcmp(t->results[i]->variant, c->variant) == 0)
            return true;
    return false;
}

/* Adds the speed-up over the fewest threads, devices or ranks, for which it is 1.  The interval holds for this ratio
   alone, not for all ratios at once as in tables, because with few rounds those have no interval. */
static void put_speedup(struct tidy *t, const struct table *table, const struct result *c)
{
    struct comparison s = {.ratio = NAN, .low = NAN, .high = NAN};
    double efficiency = NAN;

    for (size_t i = 0; i < table->speedup_count; i++) {
        const struct speedup *one = &table->speedups[i];
        if (one->result == c) {
            s = compare_together(&one->base->time[PHASE_E2E], &c->time[PHASE_E2E], 1);
            s.ratio = one->e2e.ratio;
            s.low *= speedup_work(one);
            s.high *= speedup_work(one);
            efficiency = speedup_efficiency(one, s.ratio);
        } else if (one->base == c) {
            s.ratio = s.low = s.high = efficiency = 1.0;
        }
    }
    tidy_number(t, "speedup", s.ratio);
    tidy_number(t, "speedup_low", s.low);
    tidy_number(t, "speedup_high", s.high);
    tidy_number(t, "efficiency", efficiency);
}

/* --- sizes ------------------------------------------------------------------------------------ */

static double length_of(const struct result *c, const char *axis)
{
    for (size_t i = 0; i < c->axes; i++)
        if (strcmp(c->size[i].name, axis) == 0)
            return (double)c->size[i].value;
    return NAN;
}

/* One problem of one file. */
struct sizes {
    const struct result *first;
    char axes[64]; /* the axes in which sizes differ, if these are always equal: "m=n=k" */
    char axis[16]; /* the last of them; "": none */
    bool sweep;    /* there are enough sizes for a picture over them */
};

static void find_axes(const struct records *p, struct sizes *f)
{
    for (size_t a = 0; a < f->first->axes; a++) {
        const struct axis *axis = &f->first->size[a];
        bool grows = false, equal = true;
        if (axis->word[0] != '\0') /* no length */
            continue;
        for (size_t i = 0; i < p->result_count; i++) {
            const struct result *c = &p->results[i];
            if (strcmp(c->problem, f->first->problem) != 0)
                continue;
            grows |= length_of(c, axis->name) != (double)axis->value;
            equal &= f->axis[0] == '\0' || length_of(c, axis->name) == length_of(c, f->axis);
        }
        if (grows && !equal) {
            f->axes[0] = f->axis[0] = '\0';
            return;
        }
        const size_t used = strlen(f->axes);
        if (grows) {
            snprintf(f->axes + used, sizeof f->axes - used, "%s%s", used > 0 ? "=" : "",
                     axis->name);
            snprintf(f->axis, sizeof f->axis, "%s", axis->name);
        }
    }
}

static void find_sizes(const struct records *p, const struct result *first, struct sizes *f)
{
    const struct result *last = NULL;
    size_t sizes = 0;

    *f = (struct sizes){.first = first};
    for (size_t i = 0; i < p->result_count && sizes < FEWEST_SIZES; i++) {
        const struct result *c = &p->results[i];
        if (strcmp(c->problem, first->problem) != 0 || !result_timed(c))
            continue;
        sizes += last == NULL || !result_same_table(last, c);
        last = c;
    }
    f->sweep = sizes >= FEWEST_SIZES;
    find_axes(p, f);
}

/* --- runs ------------------------------------------------------------------------------------- */

/* Identifies a machine by processor, number of cores, GPUs and driver. */
static void put_machine(struct tidy *t, const struct run *run)
{
    char gpus[FACT_TEXT], text[512], cores[32] = "";

    run_gpus(run, gpus, sizeof gpus);
    if (run->cores > 1)
        snprintf(cores, sizeof cores, ", %d cores", run->cores);
    snprintf(text, sizeof text, "%s%s%s%s", gpus, gpus[0] != '\0' ? "; " : "", run->cpu, cores);
    tidy_text(t, "machine", text);
}

static void put_run(struct tidy *t, const struct run *run)
{
    put_machine(t, run);
    tidy_number(t, "devices", (double)run->devices);
    tidy_text(t, "run_id", run->id);
    tidy_text(t, "started", run->started);
    tidy_text(t, "version", run->version);
    tidy_text(t, "commit", run->commit);
}

static void put_place(struct tidy *t, const struct records *p, size_t line)
{
    tidy_text(t, "file", p->file);
    tidy_number(t, "line", (double)line);
}

/* --- measurements ----------------------------------------------------------------------------- */

/* Those that the grid has, but not as pictures need them. */
static bool is_own(const char *column)
{
    return strcmp(column, "variant") == 0 || strcmp(column, "machine") == 0 ||
           strncmp(column, "speedup", 7) == 0 || strcmp(column, "efficiency") == 0;
}

/* Of a comparison that was not made, the grid does not say which of its cells are numbers. */
static bool is_number(const struct grid_column *column, const struct grid_cell *cell)
{
    const char *part = strrchr(column->name, '_');

    return cell->value == VALUE_NUMBER ||
           (cell->value == VALUE_TEXT && cell->text == NULL && part != NULL &&
            strstr("_x _low _high _conf _rounds", part) != NULL);
}

/* What rungs show --format csv has. */
static void put_shown(struct tidy *t, const struct grid *g, const struct grid_row *row)
{
    for (size_t i = 0; i < g->column_count; i++) {
        const struct grid_column *column = &g->columns[i];
        const struct grid_cell *cell = &row->cells[i];
        if (column->name == NULL || is_own(column->name))
            continue;
        const char *text = cell->value == VALUE_TEXT ? cell->text : cell->word;
        if (is_number(column, cell))
            tidy_number(t, column->name, cell->value == VALUE_NUMBER ? cell->number : NAN);
        else
            tidy_text(t, column->name, text != NULL ? text : "");
    }
}

static void put_names(struct tidy *t, const struct result *c)
{
    static const char *const shades[] = {"1-core", "n-core", "device"};
    const size_t shade = !result_on_cpu(c) ? 2 : result_several(c) ? 1 : 0;

    tidy_text(t, "variant", c->variant);
    tidy_text(t, "name", result_name(c).text);
    tidy_text(t, "base_variant", c->base);
    tidy_text(t, "idea", c->idea);
    tidy_text(t, "data", strcmp(c->label, "file") == 0 ? "files" : "generated");
    tidy_text(t, "device", c->device);
    tidy_text(t, "math", math_names[c->math]);
    tidy_number(t, "shade", (double)shade);
    tidy_text(t, "kind", shades[shade]);
    tidy_number(t, "threads", c->threads);
}

static void put_work(struct tidy *t, const struct result *c, const struct sizes *f)
{
    tidy_number(t, "flops", c->work.flops);
    tidy_number(t, "bytes", c->work.bytes);
    tidy_number(t, "items", c->work.items);
    tidy_text(t, "grows", f->axis[0] != '\0' ? f->axes : "items");
    tidy_number(t, "length", f->axis[0] != '\0' ? length_of(c, f->axis) : c->work.items);
}

/* The size without the axis that has words, and that axis.  Words go from the first one on, which is number 0. */
static void put_word(struct tidy *t, const struct result *c)
{
    struct result lengths = *c;
    const struct axis *word = NULL;
    char text[200];

    lengths.axes = 0;
    for (size_t a = 0; a < c->axes; a++)
        if (c->size[a].word[0] == '\0')
            lengths.size[lengths.axes++] = c->size[a];
        else
            word = &c->size[a];
    result_size(&lengths, text, sizeof text);
    tidy_text(t, "lengths", text);
    tidy_text(t, "word_axis", word != NULL ? word->name : "");
    tidy_text(t, "word", word != NULL ? word->word : "");
    tidy_number(t, "word_number", word != NULL ? (double)word->value : NAN);
}

static void put_result(struct tidy *t, const struct table *table, const struct sizes *f,
                       const struct result *c, const struct comparisons *comparisons)
{
    struct grid g = columns_start("rate");

    columns_add(&g, &(struct columns_row){.result = c, .comparisons = comparisons});
    put_shown(t, &g, &g.rows[0]);
    grid_free(&g);
    put_names(t, c);
    put_word(t, c);
    put_work(t, c, f);
    put_resident(t, c);
    for (enum role role = 0; role < ROLES; role++)
        put_mark(t, comparisons, role, c);
    put_speedup(t, table, c);
    tidy_number(t, "most", !outgrown(table, c));
    tidy_number(t, "swept", f->sweep && strcmp(c->label, "sweep") == 0);
    tidy_number(t, "table", (double)table->number);
    put_run(t, &table->p->runs[c->run]);
    put_place(t, table->p, c->line);
    tidy_end(t);
}

static void put_table(struct tidy *t, struct table *table, const struct sizes *f)
{
    struct ladder l = ladder_make(table->results, table->count);

    table->speedups = calloc(table->count, sizeof *table->speedups);
    if (table->speedups == NULL)
        abort();
    table->speedup_count = speedups_find(table->results, table->count, table->speedups);
    for (size_t i = 0; i < table->count; i++)
        put_result(t, table, f, table->results[i], &l.comparisons[i]);
    free(table->speedups);
    ladder_free(&l);
}

static void put_measurements(struct tidy *t, const struct records *p, size_t *tables)
{
    struct sizes f = {.first = NULL};

    for (size_t at = 0, count; at < p->result_count; at += count) {
        count = records_table_length(p, at);
        if (f.first == NULL || strcmp(f.first->problem, p->results[at].problem) != 0)
            find_sizes(p, &p->results[at], &f);
        struct result **results = records_table(p, at, count);
        struct table table = {p, results, count, ++*tables, 0, NULL};
        put_table(t, &table, &f);
        free(results);
    }
}

/* --- evaluations ------------------------------------------------------------------------------ */

/* When an evaluation has ended: its share of the work, in the time of a run with resident data. */
static void put_evaluations(struct tidy *t, const struct records *p)
{
    for (size_t i = 0; i < p->result_count; i++) {
        const struct result *c = &p->results[i];
        const double time = result_timed(c) ? series_median(result_resident(c)) : NAN;
        const double all = convergence_readings(&c->convergence);
        double readings = 0.0;
        for (size_t k = 0; k < c->convergence.kept; k++) {
            readings += (double)c->convergence.list[k].work;
            put_names(t, c);
            tidy_number(t, "evaluation", (double)(k + 1));
            tidy_number(t, "readings", readings);
            tidy_number(t, "time_s", all > 0.0 ? time * readings / all : (double)NAN);
            tidy_number(t, "residual", (double)c->convergence.list[k].residual);
            put_place(t, p, c->line);
            tidy_end(t);
        }
    }
}

/* --- ceilings and crossovers ------------------------------------------------------------------ */

static void put_ceilings(struct tidy *t, const struct records *p)
{
    for (size_t i = 0; i < p->ceiling_count; i++) {
        const struct ceiling_value *c = &p->ceilings[i];
        tidy_text(t, "ceiling", c->name);
        tidy_text(t, "device", c->device);
        tidy_text(t, "resource", resource_names[c->resource]);
        tidy_text(t, "math", math_names[c->math]);
        tidy_number(t, "bytes", (double)c->bytes);
        tidy_number(t, "cores", c->cores);
        tidy_text(t, "outcome", outcome_names[c->fate.outcome]);
        tidy_number(t, "best", c->best);
        put_run(t, &p->runs[c->run]);
        put_place(t, p, c->line);
        tidy_end(t);
    }
}

/* The last word about each: a sweep that was resumed repeats them. */
static bool is_last(const struct records *p, size_t at)
{
    const struct crossover_record *c = &p->crossovers[at];

    for (size_t i = at + 1; i < p->crossover_count; i++) {
        const struct crossover_record *o = &p->crossovers[i];
        if (strcmp(o->problem, c->problem) == 0 && strcmp(o->variant, c->variant) == 0 &&
            strcmp(o->phase, c->phase) == 0)
            return false;
    }
    return true;
}

static void put_crossovers(struct tidy *t, const struct records *p)
{
    for (size_t i = 0; i < p->crossover_count; i++) {
        const struct crossover_record *c = &p->crossovers[i];
        if (!is_last(p, i))
            continue;
        tidy_text(t, "problem", c->problem);
        tidy_text(t, "variant", c->variant);
        tidy_text(t, "against", c->against);
        tidy_text(t, "phase", c->phase);
        tidy_text(t, "pays", c->pays);
        tidy_text(t, "unit", c->unit);
        tidy_number(t, "from", c->from);
        tidy_number(t, "to", c->to);
        tidy_text(t, "grows", c->axis);
        tidy_number(t, "length_from", c->axis_from);
        tidy_number(t, "length_to", c->axis_to);
        put_run(t, &p->runs[c->run]);
        put_place(t, p, c->line);
        tidy_end(t);
    }
}

/* --- all -------------------------------------------------------------------------------------- */

bool export_files(struct export *e, const struct records *const files[], size_t count,
                  struct error *error)
{
    size_t tables = 0;

    *e = (struct export){.measurements = {.count = 0}};
    for (size_t i = 0; i < count; i++)
        if (!check_times(files[i], error))
            return false;
    for (size_t i = 0; i < count; i++) {
        put_measurements(&e->measurements, files[i], &tables);
        put_ceilings(&e->ceilings, files[i]);
        put_crossovers(&e->crossovers, files[i]);
        put_evaluations(&e->evaluations, files[i]);
    }
    return true;
}

void export_free(struct export *e)
{
    tidy_free(&e->measurements);
    tidy_free(&e->ceilings);
    tidy_free(&e->crossovers);
    tidy_free(&e->evaluations);
}
