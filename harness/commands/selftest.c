/* rungs selftest aa: compares every variant with itself.  Any difference is an error of the method. */
#include "harness/commands/selftest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/stats.h"
#include "harness/base/terminal.h"
#include "harness/records/derived.h"
#include "harness/records/measurement.h"
#include "harness/table/grid.h"

static const double ALLOWED = 0.05; /* share of verdicts that may be false */
enum { MANY = 100 };                /* from so many comparisons on, the share alone decides */

/* The power of the test: one of the two is made this many times slower.  Is the difference found? */
static const double TRUE_FACTORS[] = {1.1, 1.5, 2.0};
enum { FACTORS = sizeof TRUE_FACTORS / sizeof *TRUE_FACTORS };

struct aa {
    enum format format;
    bool begun; /* a table has been printed */
    size_t found[UNRESOLVED + 1];
    size_t judged;  /* comparisons with enough rounds for a verdict */
    size_t too_few; /* comparisons with too few rounds */
    size_t factors_found[FACTORS]; /* of both */
};

/* --- one pair --------------------------------------------------------------------------------- */

/* Compares with the confidence of a table of these variants, in which each is compared with all others. */
static struct comparison compare_twins(const struct series *one, const struct series *other,
                                       bool alone, size_t variants)
{
    return alone ? compare_apart(one, 1, other, 1)
                 : compare_together(one, other, variants > 1 ? variants - 1 : 1);
}

static void count(struct aa *aa, const struct comparison *c)
{
    if (!isfinite(c->low) && c->finding == UNRESOLVED) {
        aa->too_few++;
        return;
    }
    aa->judged++;
    aa->found[c->finding]++;
}

/* Compares again, as if all calls of the other had taken longer by each of the factors. */
static void count_power(struct aa *aa, const struct series *one, const struct series *other, bool alone,
                        size_t variants)
{
    struct series slower = *other;

    slower.round = malloc((other->rounds + 1) * sizeof *slower.round);
    if (slower.round == NULL)
        abort();
    for (size_t f = 0; f < FACTORS; f++) {
        for (size_t i = 0; i < other->rounds; i++)
            slower.round[i] = TRUE_FACTORS[f] * other->round[i];
        aa->factors_found[f] += compare_twins(one, &slower, alone, variants).finding == SLOWER;
    }
    free(slower.round);
}

static json_t *json_of(const struct result *r, const char *phase, const struct comparison *c)
{
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:[s], s:s}", "record", "compare",
                               "problem", r->problem, "variant", result_name(r).text,
                               "label", r->label, "size", size_write(r), "base", r->variant,
                               "against", "twin", "phase", phase);

    derived_comparison(object, c);
    return object;
}

/* --- a table ---------------------------------------------------------------------------------- */

enum {
    C_PROBLEM, C_VARIANT, C_LABEL, C_SIZE, C_PHASE, C_ONE, C_OTHER, C_RATIO, C_INTERVAL, C_LOW, C_HIGH,
    C_ROUNDS, C_VERDICT
};

static void start_grid(struct grid *g, const struct result *r)
{
    static const struct grid_column columns[] = {
        [C_PROBLEM] = {.name = "problem"},
        [C_VARIANT] = {"variant", "variant", .left = true},
        [C_LABEL] = {.name = "label"},
        [C_SIZE] = {.name = "size"},
        [C_PHASE] = {"phase", "phase", .left = true},
        [C_ONE] = {.heading = "time", .name = "time_s"},
        [C_OTHER] = {.heading = "again", .name = "again_s"},
        [C_RATIO] = {.heading = "x", .name = "ratio"},
        [C_INTERVAL] = {.heading = "interval"},
        [C_LOW] = {.name = "low"},
        [C_HIGH] = {.name = "high"},
        [C_ROUNDS] = {.heading = "rounds", .name = "rounds"},
        [C_VERDICT] = {"verdict", "verdict", .left = true},
    };
    char size[128];

    result_size(r, size, sizeof size);
    grid_start(g);
    grid_columns(g, columns, sizeof columns / sizeof *columns);
    grid_caption(g, "%s   %s: %s", r->problem, r->label, size);
    g->rest_from = C_PHASE;
    grid_spare(g, C_ROUNDS, C_OTHER, C_ONE, C_INTERVAL);
}

static void add_row(struct grid *g, const struct result *r)
{
    char size[128];

    result_size(r, size, sizeof size);
    grid_row(g);
    grid_set(g, C_PROBLEM, "%s", r->problem);
    grid_set(g, C_VARIANT, "%s", r->variant);
    grid_set(g, C_LABEL, "%s", r->label);
    grid_set(g, C_SIZE, "%s", size);
}

static void set_comparison(struct grid *g, const struct comparison *c)
{
    grid_number(g, C_RATIO, c->ratio);
    grid_number(g, C_LOW, c->low);
    grid_number(g, C_HIGH, c->high);
    if (isfinite(c->ratio)) /* NaN: they have no round in common */
        grid_set(g, C_RATIO, "%.3f", c->ratio);
    if (isfinite(c->low))
        grid_set(g, C_INTERVAL, "%.3f to %.3f", c->low, c->high);
    grid_count(g, C_ROUNDS, c->rounds);
    grid_set(g, C_VERDICT, "%s", finding_names[c->finding]);
}

static bool take_pair(struct aa *aa, struct grid *g, const struct result *one,
                      const struct result *other, bool resident, size_t variants,
                      struct record *record, struct error *error)
{
    const struct series *a = &one->time[resident ? PHASE_RUN : PHASE_E2E];
    const struct series *b = &other->time[resident ? PHASE_RUN : PHASE_E2E];
    const char *phase = resident ? "resident" : "e2e";

    if (a->rounds == 0 || b->rounds == 0)
        return true;
    struct comparison c = compare_twins(a, b, one->alone, variants);
    count(aa, &c);
    count_power(aa, a, b, one->alone, variants);
    add_row(g, one);
    grid_set(g, C_PHASE, resident ? "resident" : "end to end");
    grid_word(g, C_PHASE, phase);
    grid_duration(g, C_ONE, series_median(a));
    grid_duration(g, C_OTHER, series_median(b));
    set_comparison(g, &c);
    json_t *object = json_of(other, phase, &c);
    g->rows[g->count - 1].record = json_incref(object);
    return record_object(record, object, error);
}

static bool report(void *context, struct result *const results[], size_t all,
                   struct record *record, struct error *error)
{
    struct aa *aa = context;
    struct grid g;
    size_t timed = 0;
    bool written = true;

    for (size_t i = 0; i + 1 < all; i += 2)
        timed += result_timed(results[i]) && result_timed(results[i + 1]);
    start_grid(&g, results[0]);
    for (size_t i = 0; i + 1 < all && written; i += 2) {
        const struct result *one = results[i], *other = results[i + 1];
        if (result_timed(one) && result_timed(other)) {
            written = take_pair(aa, &g, one, other, false, timed, record, error) &&
                      take_pair(aa, &g, one, other, true, timed, record, error);
            continue;
        }
        add_row(&g, one);
        g.rows[g.count - 1].seen = SEEN_PEOPLE;
        grid_rest(&g, result_timed(one) ? other->fate.reason : one->fate.reason);
    }
    g.continued = aa->begun;
    aa->begun = true;
    grid_print(&g, aa->format, stdout);
    fflush(stdout);
    grid_free(&g);
    return written;
}

/* --- the verdict on the verdicts -------------------------------------------------------------- */

/* With few comparisons the share must also be larger than chance explains. */
static bool too_many(size_t false_ones, size_t judged, double *luck)
{
    *luck = judged > 0 ? binomial_tail(judged, false_ones, ALLOWED) : 1.0;
    return (double)false_ones > ALLOWED * (double)judged && (judged >= MANY || *luck < 0.05);
}

static double power_of(const struct aa *aa, size_t factor)
{
    const size_t all = aa->judged + aa->too_few;

    return all > 0 ? (double)aa->factors_found[factor] / (double)all : 0.0;
}

static json_t *power_write(const struct aa *aa)
{
    json_t *all = json_array();

    for (size_t f = 0; f < FACTORS; f++)
        json_array_append_new(all, json_pack("{s:f, s:f}", "factor", TRUE_FACTORS[f], "found", power_of(aa, f)));
    return all;
}

static void print_summary(FILE *out, const struct aa *aa, double share, bool failed, double luck)
{
    const size_t false_ones = aa->found[FASTER] + aa->found[SLOWER];

    terminal_printf(out, "%zu comparisons of a variant with itself: %zu FASTER or SLOWER (%.1f %%), "
                         "%zu SAME, %zu UNRESOLVED.\n", aa->judged, false_ones, 100.0 * share,
                    aa->found[SAME], aa->found[UNRESOLVED]);
    if (aa->too_few > 0)
        fprintf(out, "%zu more had too few rounds for a verdict.\n", aa->too_few);
    fprintf(out, "False verdicts (FASTER or SLOWER): %.1f %%; 5 %% are allowed: %s", 100.0 * share,
            failed ? "FAILED" : "passed");
    if (aa->judged < MANY && false_ones > 0)
        fprintf(out, " (at a true rate of 5 %%, the chance of so many or more is %.2g)", luck);
    fputs(".\n", out);
    if (aa->judged + aa->too_few == 0)
        return;
    fprintf(out, "If one of the two took");
    for (size_t f = 0; f < FACTORS; f++)
        fprintf(out, "%s %.1f", f > 0 ? "," : "", TRUE_FACTORS[f]);
    fprintf(out, " times as long, it would be found SLOWER in");
    for (size_t f = 0; f < FACTORS; f++)
        fprintf(out, "%s %.1f %%", f > 0 ? "," : "", 100.0 * power_of(aa, f));
    fprintf(out, " of all comparisons.\n");
}

static int finish(void *context, const struct tally *tally, struct record *record)
{
    struct aa *aa = context;
    struct error error;
    size_t false_ones = aa->found[FASTER] + aa->found[SLOWER];
    double luck, share = aa->judged > 0 ? (double)false_ones / (double)aa->judged : 0.0;
    bool failed = too_many(false_ones, aa->judged, &luck);
    int status = tally_status(tally);
    json_t *object = json_pack(
        "{s:s, s:s, s:I, s:I, s:f, s:f, s:f, s:I, s:I, s:I, s:o, s:b}", "record", "selftest", "test",
        "aa", "comparisons", (json_int_t)aa->judged, "false_verdicts", (json_int_t)false_ones,
        "share", share, "allowed", ALLOWED, "chance", luck, "same", (json_int_t)aa->found[SAME],
        "unresolved", (json_int_t)aa->found[UNRESOLVED], "too_few_rounds",
        (json_int_t)aa->too_few, "power", power_write(aa), "failed", failed);

    if (aa->format != FORMAT_JSON) /* CSV is for a program */
        print_summary(aa->format == FORMAT_CSV ? stderr : stdout, aa, share, failed, luck);
    if (!record_and_print(record, object, aa->format, &error))
        return usage_error(&error);
    if (status != STATUS_OK)
        return status;
    return failed ? STATUS_FAILED : aa->judged > 0 ? STATUS_OK : STATUS_NOTHING;
}

static int run(const struct options *o)
{
    struct options rest = *o;
    struct aa aa = {.format = o->format};
    const struct bench_kind kind = {.name = "selftest", .twins = true, .report = report,
                                    .finish = finish, .context = &aa};
    struct error error;

    const char *what = o->patterns.count > 0 ? o->patterns.word[0] : "";
    const bool placement = strcmp(what, "placement") == 0;

    if (!placement && strcmp(what, "aa") != 0) {
        error_set(&error, "selftest takes aa (every variant against itself) or placement (the same code "
                          "in several link layouts)");
        return usage_error(&error);
    }
    rest.preset.also = false; /* S and M show what the harness does */
    rest.patterns.count--;
    memmove(rest.patterns.word, rest.patterns.word + 1,
            rest.patterns.count * sizeof rest.patterns.word[0]);
    return placement ? selftest_placement(o, &rest) : bench_run(&rest, &kind);
}

const struct command command_selftest = {
    .name = "selftest",
    .usage = "selftest aa|placement [PATTERN...] [--size S,M] [--quick] [--max-time SECONDS]",
    .about = "test the method: time every variant against itself, or in several link layouts",
    .help = "aa: times each variant in two processes, by the rules of bench, and compares the two like\n"
            "two variants.  FASTER and SLOWER are false verdicts here.  If they are more than 5 % of the\n"
            "comparisons, the exit status is 1; with fewer than 100 comparisons, only if so many false\n"
            "verdicts have a chance below 5 %.  A last line says how often a true difference is found.\n"
            "placement: links each variant in eight layouts and compares their times.  If they differ by\n"
            "more than 2 %, the exit status is 1.  It needs a compiler and the sources.\n"
            "Each run writes a new file of records: results/selftest-DATE-HOST.jsonl, or the file that\n"
            "--out names.\n",
    .words = "aa placement VARIANT",
    .run = run,
};
