#include "harness/table/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/model/judge.h"
#include "harness/records/caveats.h"
#include "harness/records/measurement.h"
#include "harness/table/table.h"

/* In the order of CSV. */
enum {
    C_PROBLEM, C_VARIANT, C_LABEL, C_SIZE, C_CHECK, C_REASON, C_ERROR, C_EXACT, C_MATH, C_TIME,
    C_TIME_LOW, C_TIME_HIGH, C_WIDTH, C_BAR, C_RUN, C_RUN_LOW, C_RUN_HIGH, C_RUN_WIDTH, C_COLD,
    C_UP, C_DOWN, C_RATE, C_UNIT, C_CORES, C_MEMORY, C_EVALUATIONS,
    C_READINGS, C_SETUP, C_RUN_LIMIT_NAME, C_RUN_LIMIT, C_LIMIT_NAME,
    C_LIMIT,
    C_FIRST, /* from here on four roles, each with its name and columns for end to end and resident */
    PHASE_COLUMNS = 6, /* ratio, low, high, confidence, rounds, verdict */
    ROLE_COLUMNS = 1 + 2 * PHASE_COLUMNS,
    C_AXIS = C_FIRST + ROLES * ROLE_COLUMNS,
    C_GIVEN, C_SPEEDUP, C_SPEEDUP_LOW, C_SPEEDUP_HIGH, C_EFFICIENCY, C_MACHINE, C_FLAGS,
    C_LAUNCHES, C_THREADS, C_LOADS, C_LOAD_SECTORS, C_STORES, C_STORE_SECTORS, C_ATOMICS, C_TRAFFIC,
    C_INTENSITY, C_SHARED, C_WAVEFRONTS, C_CONFLICTS, C_BARRIERS, C_OCCUPANCY, C_COPIED, C_MIGRATED, COLUMNS
};

static const struct grid_column first_columns[C_FIRST] = {
    [C_PROBLEM] = {.name = "problem"},
    [C_VARIANT] = {"variant", "variant", .left = true},
    [C_LABEL] = {.name = "label"},
    [C_SIZE] = {"size", "size", .left = true},
    [C_CHECK] = {"check", "outcome", .left = true,
                 .meaning = "ok, or what went wrong; then the reason follows"},
    [C_REASON] = {.name = "reason", .quoted = true},
    [C_ERROR] = {"error", "error",
                 .meaning = "worst error divided by the tolerance; above 1 the variant is wrong"},
    [C_EXACT] = {"exact", "exact", .meaning = "share of answers that equal those of the float64 reference"},
    [C_MATH] = {"math", .meaning = "arithmetic, where it is not float32 throughout; it sets the tolerance"},
    [C_TIME] = {"time", "e2e_s", .meaning = "one call end to end, with copies to and from a GPU; median of "
                                            "the rounds"},
    [C_TIME_LOW] = {.name = "e2e_low_s"},
    [C_TIME_HIGH] = {.name = "e2e_high_s"},
    [C_WIDTH] = {"+-", .meaning = "half of the 95 % interval of time, in percent of it"},
    [C_BAR] = {"speed", .left = true,
               .meaning = "a full bar is the fastest variant; a quarter less is ten times slower"},
    [C_RUN] = {"run", "run_s",
               .meaning = "one call with the data already on the device (resident), and in its cache if they "
                          "fit"},
    [C_RUN_LOW] = {.name = "run_low_s"},
    [C_RUN_HIGH] = {.name = "run_high_s"},
    [C_RUN_WIDTH] = {.heading = "+-"},
    [C_COLD] = {"cold", "cold_s", .meaning = "run with nothing in the device's cache"},
    [C_UP] = {"upload", "upload_s", .meaning = "copies to the device"},
    [C_DOWN] = {"download", "download_s", .meaning = "copies back from the device"},
    [C_RATE] = {"", "rate", .meaning = "the problem's work divided by time"},
    [C_UNIT] = {.name = "unit"},
    [C_CORES] = {"cores", "cores",
                 .meaning = "processor time divided by wall time: how many cores were busy"},
    [C_MEMORY] = {"memory", "memory_bytes",
                  .meaning = "most main memory of the process and those that it starts, without the problem's arrays"},
    [C_EVALUATIONS] = {"evals", "evaluations",
                       .meaning = "how often a method that iterates looked at the data, by its own account"},
    [C_READINGS] = {.name = "readings"},
    [C_SETUP] = {.name = "setup_s"},
    [C_RUN_LIMIT_NAME] = {.name = "run_limit"},
    [C_RUN_LIMIT] = {"% of peak", "run_of_limit", .left = true},
    [C_LIMIT_NAME] = {.name = "limit"},
    [C_LIMIT] = {"% of peak", "of_limit", .left = true,
                 .meaning = "least time that the named resource allows at its measured peak rate, divided "
                            "by the time taken; >100%: the data came from a nearer cache, or kernels "
                            "overlapped; a number above 100 with ?: perhaps a mistake"},
};

static const struct grid_column last_columns[] = {
    {.name = "axis"}, {.name = "given"}, {.name = "speedup"}, {.name = "speedup_low"},
    {.name = "speedup_high"}, {.name = "efficiency"},
    {"on", "machine", .left = true},
    {"flags", .left = true, .meaning = "reasons to doubt the row, a letter each"},
    {"launches", "launches", .meaning = "of kernels, in one call"},
    {"threads", "threads_launched", .meaning = "of all launches"},
    {"loads", "load_requests", .meaning = "requests of warps to global memory: one for up to 32 threads"},
    {"sectors/ld", "load_sectors",
     .meaning = "sectors of 32 bytes per request to load; coalesced are 4 for 4 bytes a thread and 16 for 16 bytes"},
    {"stores", "store_requests", .meaning = "as loads"},
    {"sectors/st", "store_sectors", .meaning = "per request to store"},
    {"atomics", "atomic_requests", .meaning = "requests of warps to global memory, each for one operation a thread"},
    {"traffic", "traffic_bytes", .meaning = "bytes of all sectors that warps request; a cache may hold them"},
    {"flop/B", "traffic_flops", .meaning = "the problem's arithmetic (that of the textbook method) divided by traffic"},
    {"shared", "shared_requests", .meaning = "requests of warps to shared memory"},
    {"wavefronts", "shared_wavefronts", .meaning = "per request to shared memory; 1 is best for 4 bytes a thread"},
    {"conflicts", "shared_conflicts", .meaning = "share of the wavefronts that bank conflicts cause"},
    {"barriers", "barriers", .meaning = "barriers that warps reach"},
    {"occupancy", "occupancy_most",
     .meaning = "at most, for block size and shared memory on an H200; registers may allow less"},
    {"copied", "copied_bytes", .meaning = "bytes of copies between host and devices"},
    {"migrated", "migrated_bytes", .meaning = "bytes of managed memory that moved"},
};

static const char *const role_meanings[ROLES] = {
    "how many times faster than the first variant",
    "how many times faster than its base, the variant that it is compared with",
    "how many times faster than the fastest variant on one CPU core; best: this is that variant",
    "how many times faster than the fastest variant on several CPU cores; best: this is that variant",
};

/* --- views ------------------------------------------------------------------------------------ */

enum { RATIO = 1, RESIDENT = 1 + PHASE_COLUMNS }; /* of a role's columns */
#define ROLE(role, column) (unsigned char)(C_FIRST + (role) * ROLE_COLUMNS + (column))
#define FOUR(column)                                                                               \
    ROLE(ROLE_FIRST, column), ROLE(ROLE_BASE, column), ROLE(ROLE_SINGLE, column),                  \
        ROLE(ROLE_MULTI, column)

static const unsigned char main_order[] = {
    C_VARIANT, C_MACHINE, C_SIZE, C_CHECK, C_ERROR, C_EXACT, C_MATH, C_EVALUATIONS, C_UP, C_RUN, C_RUN_LIMIT, C_COLD,
    C_DOWN, C_TIME, C_WIDTH, C_BAR, C_LIMIT, C_RATE, FOUR(RATIO), C_CORES, C_MEMORY, C_FLAGS};
/* Left out first where the terminal is narrow.  Time, interval and flags stay: a time without its doubts misleads. */
static const unsigned char main_spare[] = {
    C_MEMORY, C_CORES, C_COLD, C_DOWN, C_UP, C_EVALUATIONS, C_MATH, C_EXACT, C_ERROR, C_RUN_LIMIT,
    ROLE(ROLE_SINGLE, RATIO), ROLE(ROLE_FIRST, RATIO), C_RATE, ROLE(ROLE_MULTI, RATIO),
    C_BAR, C_RUN, C_LIMIT, ROLE(ROLE_BASE, RATIO)};
static const unsigned char resident_order[] = {C_VARIANT, C_MACHINE, C_SIZE, C_RUN, C_RUN_WIDTH,
                                               FOUR(RESIDENT)};
static const unsigned char counted_order[] = {
    C_VARIANT, C_MACHINE, C_SIZE, C_CHECK, C_LAUNCHES, C_THREADS, C_LOADS, C_LOAD_SECTORS, C_STORES, C_STORE_SECTORS,
    C_ATOMICS, C_TRAFFIC, C_INTENSITY, C_SHARED, C_WAVEFRONTS, C_CONFLICTS, C_BARRIERS, C_OCCUPANCY, C_COPIED,
    C_MIGRATED};
static const unsigned char counted_spare[] = {
    C_MIGRATED, C_ATOMICS, C_COPIED, C_THREADS, C_LAUNCHES, C_OCCUPANCY, C_STORE_SECTORS, C_STORES, C_INTENSITY,
    C_SHARED, C_BARRIERS};

/* --- columns ---------------------------------------------------------------------------------- */

static void add_role(struct grid *g, size_t role)
{
    static const char *const fields[PHASE_COLUMNS] = {"x",    "low",    "high",
                                                      "conf", "rounds", "verdict"};
    const char *its = role_names[role];
    char heading[16], name[40];

    snprintf(heading, sizeof heading, "x %s", its);
    grid_columns(g, &(struct grid_column){.name = its}, 1);
    for (size_t i = 0; i < 2 * PHASE_COLUMNS; i++) {
        const bool ratio = i % PHASE_COLUMNS == 0;
        snprintf(name, sizeof name, "%s_%s%s", its, i < PHASE_COLUMNS ? "" : "resident_",
                 fields[i % PHASE_COLUMNS]);
        grid_columns(g, &(struct grid_column){.heading = ratio ? heading : NULL, .name = name,
                                         .meaning = ratio ? role_meanings[role] : NULL}, 1);
    }
}

struct grid columns_start(const char *unit)
{
    struct grid g;

    grid_start(&g);
    for (size_t i = 0; i < C_FIRST; i++) {
        struct grid_column column = first_columns[i];
        column.heading = i == C_RATE ? unit : column.heading;
        grid_columns(&g, &column, 1);
    }
    for (size_t role = 0; role < ROLES; role++)
        add_role(&g, role);
    grid_columns(&g, last_columns, sizeof last_columns / sizeof *last_columns);
    g.rest_from = C_ERROR;
    g.view = (struct grid_view){.columns = main_order, .count = sizeof main_order,
                                .spare = main_spare, .spare_count = sizeof main_spare};
    return g;
}

void columns_resident(struct grid *g)
{
    g->view = (struct grid_view){.columns = resident_order, .count = sizeof resident_order,
                                 .rows = SEEN_BESIDE, .first = "resident"};
    free(g->caption);
    g->caption = NULL;
}

void columns_counted(struct grid *g)
{
    g->view = (struct grid_view){.columns = counted_order, .count = sizeof counted_order,
                                 .spare = counted_spare, .spare_count = sizeof counted_spare,
                                 .rows = SEEN_COUNTED};
    g->rest_from = C_LAUNCHES;
}

/* --- rows ------------------------------------------------------------------------------------- */

static void set_names(struct grid *g, const struct columns_row *row)
{
    const struct result *r = row->result;
    char size[200];

    result_size(r, size, sizeof size);
    grid_word(g, C_PROBLEM, r->problem);
    grid_set(g, C_VARIANT, "%s", result_name(r).text);
    grid_word(g, C_VARIANT, measurement_variant(r).text);
    grid_link(g, C_VARIANT, r->problem, r->variant);
    grid_word(g, C_LABEL, r->label);
    grid_word(g, C_SIZE, size);
    if (row->sized)
        grid_set(g, C_SIZE, "%s", size);
    grid_word(g, C_MACHINE, r->machine);
    if (r->machine != NULL)
        grid_set(g, C_MACHINE, "%s", r->machine);
}

static void set_answer(struct grid *g, const struct result *r)
{
    grid_set(g, C_CHECK, "%s", outcome_names[r->fate.outcome]);
    grid_word(g, C_REASON, r->fate.reason);
    grid_number(g, C_ERROR, r->error);
    if (isfinite(r->error))
        grid_set(g, C_ERROR, "%.2f", r->error);
    grid_number(g, C_EXACT, r->exact);
    if (isfinite(r->exact))
        grid_set(g, C_EXACT, r->exact == 1.0 ? "100%%" : "%.3f%%", 100.0 * r->exact);
    if (r->math != MATH_F32)
        grid_set(g, C_MATH, "%s", math_names[r->math]);
}

static void set_convergence(struct grid *g, const struct convergence *c)
{
    const bool known = c->count > 0;

    grid_number(g, C_EVALUATIONS, known ? (double)c->count : (double)NAN);
    grid_number(g, C_READINGS, known ? convergence_readings(c) : (double)NAN);
    if (known)
        grid_set(g, C_EVALUATIONS, "%zu", c->count);
}

/* Its median and interval, the latter also as a width; for people if it is `shown`. */
static void set_summary(struct grid *g, size_t column, size_t width, const struct series *time,
                        bool shown)
{
    const struct summary s = series_summary(time);
    const double percent = 50.0 * (s.high - s.low) / s.median;

    grid_number(g, column, s.median);
    grid_number(g, column + 1, s.low);
    grid_number(g, column + 2, s.high);
    if (shown)
        grid_duration(g, column, s.median);
    if (isfinite(s.low))
        grid_set(g, width, percent > 100.0 ? ">100%%" : "%.1f%%", percent);
    grid_number(g, width, percent);
}

static void set_limit(struct grid *g, size_t name, const struct bound *limit,
                      const struct series *time, bool shown)
{
    const size_t column = name + 1;
    const double share = result_peak_share(limit, time);
    char text[64];

    grid_word(g, name, isfinite(share) ? limit->name : NULL);
    grid_number(g, column, share);
    if (!shown || !isfinite(share))
        return;
    table_peak(limit->name, share, text, sizeof text);
    grid_set(g, column, "%s", text);
    grid_cell(g, column)->share = share;
}

static void set_flags(struct grid *g, unsigned flags)
{
    char letters[FLAGS + 1];
    size_t count = 0;

    for (int i = 0; i < FLAGS; i++)
        if (flags & 1u << i && flag_letters[i] != '\0')
            letters[count++] = flag_letters[i];
    letters[count] = '\0';
    if (count > 0)
        grid_set(g, C_FLAGS, "%s", letters);
}

/* On a terminal: the fastest variant has a full bar, one that takes ten times as long a quarter less. */
static void set_bar(struct grid *g, double time, double shortest)
{
    char bar[GRID_BAR];

    grid_bar(1.0 - log10(time / shortest) / 4.0, bar);
    grid_set(g, C_BAR, "%s", bar);
    if (time == shortest)
        g->rows[g->count - 1].tone = TONE_BEST;
}

/* The times of a variant that failed afterwards are for programs only. */
static void set_phases(struct grid *g, const struct result *r, bool timed)
{
    static const enum phase phases[] = {PHASE_COLD, PHASE_UPLOAD, PHASE_DOWNLOAD};

    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        const double median = series_median(&r->time[phases[i]]);
        if (timed)
            grid_duration(g, C_COLD + i, median);
        else
            grid_number(g, C_COLD + i, median);
    }
}

static void set_times(struct grid *g, const struct result *r, double shortest, unsigned folded)
{
    static const struct series none;
    const bool timed = result_timed(r), resident = r->time[PHASE_RUN].rounds > 0;
    const struct series *e2e = &r->time[PHASE_E2E];
    const struct series *run = resident ? &r->time[PHASE_RUN] : e2e;
    const double median = timed ? series_median(e2e) : NAN;
    const char *unit;
    const double rate = result_rate_work(r, &unit) / median / 1e9;
    char text[32];

    set_summary(g, C_TIME, C_WIDTH, timed ? e2e : &none, true);
    set_summary(g, C_RUN, C_RUN_WIDTH, timed ? run : &none, resident);
    set_phases(g, r, timed);
    set_limit(g, C_RUN_LIMIT_NAME, &r->bound_run, run, resident && timed);
    set_limit(g, C_LIMIT_NAME, &r->bound_e2e, e2e, timed);
    grid_number(g, C_RATE, rate);
    grid_word(g, C_UNIT, unit);
    grid_number(g, C_CORES, r->cores);
    grid_number(g, C_MEMORY, r->memory);
    grid_number(g, C_SETUP, r->setup);
    if (!timed)
        return;
    describe_number(rate, text, sizeof text);
    grid_set(g, C_RATE, "%s", text);
    if (isfinite(r->cores))
        grid_set(g, C_CORES, "%.1f", r->cores);
    set_flags(g, r->flags & ~folded);
    if (shortest > 0.0)
        set_bar(g, median, shortest);
}

/* Fills the PHASE_COLUMNS columns of one role, end to end or resident. */
static void set_comparison(struct grid *g, size_t column, const struct comparison *c)
{
    static const enum tone tones[] = {[FASTER] = TONE_BEST, [SLOWER] = TONE_BAD,
                                      [SAME] = TONE_PLAIN, [UNRESOLVED] = TONE_PLAIN};
    char text[32];

    if (!isfinite(c->ratio))
        return;
    table_ratio(c, text, sizeof text);
    grid_set(g, column, "%s", text);
    grid_cell(g, column)->tone = tones[c->finding];
    grid_number(g, column, c->ratio);
    grid_number(g, column + 1, c->low);
    grid_number(g, column + 2, c->high);
    grid_number(g, column + 3, c->confidence);
    grid_number(g, column + 4, (double)c->rounds);
    grid_word(g, column + 5, finding_names[c->finding]);
    if (isfinite(c->low))
        grid_hint(g, column, "%.3g to %.3g", c->low, c->high);
}

/* Fills for each role the name of its variant, and the ratios to it, end to end and resident. */
static void set_comparisons(struct grid *g, const struct comparisons *s, const struct result *self)
{
    for (size_t role = 0; role < ROLES; role++) {
        const size_t at = C_FIRST + role * ROLE_COLUMNS;
        const bool best = role >= ROLE_SINGLE && s->baseline[role] == self;
        if (s->baseline[role] != NULL)
            grid_word(g, at, result_name(s->baseline[role]).text);
        set_comparison(g, at + RATIO, &s->e2e[role]);
        set_comparison(g, at + RESIDENT, &s->resident[role]);
        for (size_t phase = RATIO; phase <= RESIDENT && best; phase += PHASE_COLUMNS)
            if (grid_cell(g, at + phase)->text == NULL) {
                grid_set(g, at + phase, "best ");
                grid_number(g, at + phase, NAN);
            }
        if (isfinite(s->resident[role].ratio))
            g->rows[g->count - 1].seen |= SEEN_BESIDE;
    }
}

/* Fills the number of threads, devices or ranks that the variant got, and the speed-up end to end. */
static void set_speedup(struct grid *g, const struct result *r, const struct speedup *s)
{
    const char *axis = scale_axis(&r->scale);
    const double given = scale_value(&r->scale);

    grid_word(g, C_AXIS, axis);
    grid_number(g, C_GIVEN, axis != NULL ? given : (double)NAN);
    if (s == NULL)
        return;
    grid_number(g, C_SPEEDUP, s->e2e.ratio);
    grid_number(g, C_SPEEDUP_LOW, s->e2e.low);
    grid_number(g, C_SPEEDUP_HIGH, s->e2e.high);
    grid_number(g, C_EFFICIENCY, speedup_efficiency(s, s->e2e.ratio));
}

/* --- counters --------------------------------------------------------------------------------- */

/* A count of 0 is a dash for people. */
static void set_count(struct grid *g, size_t column, size_t count)
{
    char text[32];

    grid_number(g, column, (double)count);
    describe_count((double)count, text, sizeof text);
    if (count > 0)
        grid_set(g, column, "%s", text);
}

static void set_bytes(struct grid *g, size_t column, double bytes)
{
    char text[32];

    grid_number(g, column, bytes);
    describe_bytes(bytes, text, sizeof text);
    if (bytes > 0.0)
        grid_set(g, column, "%s", text);
}

/* For people the parts of one request; for programs all. */
static void set_parts(struct grid *g, size_t column, size_t parts, size_t requests)
{
    grid_number(g, column, (double)parts);
    if (requests > 0)
        grid_set(g, column, "%.2f", (double)parts / (double)requests);
}

static void set_counts(struct grid *g, const struct result *r)
{
    const struct counts *c = &r->counts;
    const double traffic = counts_traffic(c);

    for (size_t i = C_LAUNCHES; i < COLUMNS; i++)
        grid_number(g, i, NAN);
    if (c->calls == 0)
        return;
    set_count(g, C_LAUNCHES, c->launches);
    set_count(g, C_THREADS, c->threads);
    set_count(g, C_LOADS, c->load_requests);
    set_parts(g, C_LOAD_SECTORS, c->load_sectors, c->load_requests);
    set_count(g, C_STORES, c->store_requests);
    set_parts(g, C_STORE_SECTORS, c->store_sectors, c->store_requests);
    set_count(g, C_ATOMICS, c->atomic_requests);
    set_bytes(g, C_TRAFFIC, traffic);
    grid_number(g, C_INTENSITY, traffic > 0.0 ? r->work.flops / traffic : NAN);
    if (traffic > 0.0 && r->work.flops > 0.0)
        grid_set(g, C_INTENSITY, "%.3g", r->work.flops / traffic);
    set_count(g, C_SHARED, c->shared_requests);
    set_parts(g, C_WAVEFRONTS, c->shared_wavefronts, c->shared_requests);
    grid_number(g, C_CONFLICTS, (double)c->shared_conflicts);
    if (c->shared_conflicts > 0)
        grid_set(g, C_CONFLICTS, "%.0f%%", 100.0 * (double)c->shared_conflicts / (double)c->shared_wavefronts);
    set_count(g, C_BARRIERS, c->barriers);
    grid_number(g, C_OCCUPANCY, c->occupancy);
    if (isfinite(c->occupancy))
        grid_set(g, C_OCCUPANCY, "%.0f%%", 100.0 * c->occupancy);
    set_bytes(g, C_COPIED, (double)c->copied_bytes);
    set_bytes(g, C_MIGRATED, (double)c->migrated_bytes);
}

void columns_see(struct columns_seen *seen, const struct grid *g)
{
    const struct grid_shape shape = grid_shape(g);
    const char *unit = g->columns[C_RATE].heading;
    const bool counted = g->view.rows == SEEN_COUNTED;

    if (!counted && strcmp(seen->unit, unit) != 0)
        snprintf(seen->unit, sizeof seen->unit, "%s", seen->unit[0] == '\0' ? unit : "rate");
    for (size_t i = 0; i < shape.count; i++) {
        seen->column[shape.column[i]] = true;
        seen->ratios |= shape.column[i] == C_TIME;
    }
    for (size_t r = 0; r < g->count; r++)
        seen->resident |= (g->rows[r].seen & SEEN_BESIDE) != 0;
}

static void explain(const struct columns_seen *seen, const struct grid *g, const unsigned char order[], size_t count,
                    void (*print)(void *context, const char *heading, const char *meaning), void *context)
{
    for (size_t i = 0; i < count; i++) {
        const struct grid_column *column = &g->columns[order[i]];
        if (column->meaning != NULL && seen->column[order[i]])
            print(context, column->heading, column->meaning);
    }
}

void columns_explain(const struct columns_seen *seen,
                     void (*print)(void *context, const char *heading, const char *meaning), void *context)
{
    struct grid g = columns_start(seen->unit);

    enum { COUNTS = 4 /* in the order of counts: after the names and the outcome */ };
    explain(seen, &g, main_order, sizeof main_order, print, context);
    explain(seen, &g, counted_order + COUNTS, sizeof counted_order - COUNTS, print, context);
    if (seen->resident)
        print(context, "resident", "the second table: the same ratios for run");
    grid_free(&g);
}

enum tone columns_tone(enum outcome outcome)
{
    return outcome_failed(outcome) ? TONE_BAD : outcome == OUTCOME_OK ? TONE_PLAIN : TONE_FAINT;
}

void columns_absent(struct grid *g, size_t variants, enum outcome outcome)
{
    struct grid_row *row = grid_row(g);

    row->tone = columns_tone(outcome);
    row->seen = SEEN_PEOPLE;
    grid_set(g, C_VARIANT, "%zu for a GPU", variants);
    grid_set(g, C_CHECK, "%s", outcome_names[outcome]);
}

void columns_add(struct grid *g, const struct columns_row *row)
{
    const struct result *r = row->result;

    grid_row(g)->tone = columns_tone(r->fate.outcome);
    if (r->fate.outcome != OUTCOME_OK)
        grid_rest(g, r->fate.reason);
    set_names(g, row);
    set_answer(g, r);
    set_convergence(g, &r->convergence);
    set_times(g, r, row->shortest, row->folded);
    if (row->memory && result_timed(r) && isfinite(r->memory))
        grid_set(g, C_MEMORY, "%.0f MB", r->memory / 1e6);
    if (row->comparisons != NULL)
        set_comparisons(g, row->comparisons, r);
    set_speedup(g, r, row->speedup);
    set_counts(g, r);
    if (strcmp(r->device, "sim") == 0) /* it has no clock */
        g->rows[g->count - 1].seen = SEEN_COUNTED | SEEN_PROGRAMS;
}
