/* rungs selftest aa: every rung against itself.  Whatever differs then is the method's fault. */
#include "harness/commands/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/compare_json.h"
#include "harness/grid.h"
#include "harness/describe.h"
#include "harness/stats.h"
#include "harness/terminal.h"

static const double ALLOWED = 0.05; /* share of verdicts that may be false */
enum { MANY = 100 };                /* comparisons from which on the share itself decides */

struct aa {
    enum format format;
    size_t found[UNRESOLVED + 1];
    size_t judged;  /* comparisons that had rounds enough for an interval */
    size_t too_few; /* and those that had not */
};

/* --- one pair --------------------------------------------------------------------------------- */

/* As in a table of these rungs, where each would be compared with all others but itself. */
static struct comparison compare_twins(const struct series *one, const struct series *other,
                                       bool alone, size_t rungs)
{
    const struct rounds a = series_rounds(one), b = series_rounds(other);

    return alone ? compare_apart(&a, 1, &b, 1)
                 : compare_together(&a, &b, rungs > 1 ? rungs - 1 : 1);
}

static void count(struct aa *aa, const struct comparison *c)
{
    if (!isfinite(c->low)) {
        aa->too_few++;
        return;
    }
    aa->judged++;
    aa->found[c->finding]++;
}

static void print_json(const struct aa *aa, const json_t *object)
{
    if (aa->format != FORMAT_JSON)
        return;
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(9));
    puts(text != NULL ? text : "null");
    free(text);
}

static bool record_twins(const struct aa *aa, struct record *record, const struct row *row,
                         const char *phase, const struct comparison *c, struct error *error)
{
    const struct name name = row_name(row), base = variant_name(row->variant);
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:o, s:s, s:[s], s:s}", "record", "compare",
                               "problem", name.problem, "variant", name.variant, "label",
                               row->label, "size", record_size(row), "base", base.variant,
                               "against", "twin", "phase", phase);

    compare_json(object, c);
    print_json(aa, object);
    return record_object(record, object, error);
}

/* --- a table ---------------------------------------------------------------------------------- */

enum column { C_RUNG, C_PHASE, C_ONE, C_OTHER, C_RATIO, C_INTERVAL, C_ROUNDS, C_VERDICT };

static void start_grid(struct grid *g)
{
    static const char *const headings[] = {"rung", "phase",    "time",   "again",
                                           "x",    "interval", "rounds", "verdict"};

    grid_start(g);
    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        grid_column(g, headings[i], i <= C_PHASE || i == C_VERDICT);
    g->rest_from = C_PHASE;
    grid_spare(g, C_ROUNDS, C_OTHER, C_ONE, C_INTERVAL);
}

static void set_median(struct grid *g, size_t column, const struct series *s)
{
    char text[32];

    describe_duration(median_of(s->round, s->rounds), text, sizeof text);
    grid_set(g, column, "%s", text);
}

static bool take_pair(struct aa *aa, struct grid *g, const struct row *one, const struct row *other,
                      bool resident, size_t rungs, struct record *record, struct error *error)
{
    const struct series *a = resident ? &one->run : &one->e2e;
    const struct series *b = resident ? &other->run : &other->e2e;

    if (a->rounds == 0 || b->rounds == 0)
        return true;
    struct comparison c = compare_twins(a, b, one->alone, rungs);
    count(aa, &c);
    grid_row(g);
    grid_set(g, C_RUNG, "%s", variant_name(one->variant).variant);
    grid_set(g, C_PHASE, resident ? "resident" : "end to end");
    set_median(g, C_ONE, a);
    set_median(g, C_OTHER, b);
    if (isfinite(c.ratio)) /* they may have kept no round in common */
        grid_set(g, C_RATIO, "%.3f", c.ratio);
    if (isfinite(c.low))
        grid_set(g, C_INTERVAL, "%.3f to %.3f", c.low, c.high);
    grid_set(g, C_ROUNDS, "%zu", c.rounds);
    grid_set(g, C_VERDICT, "%s", finding_names[c.finding]);
    return record_twins(aa, record, other, resident ? "resident" : "e2e", &c, error);
}

static void print_grid(struct aa *aa, const struct grid *g, const struct row *row)
{
    bool markdown = aa->format == FORMAT_MARKDOWN;
    char size[128];

    if (aa->format != FORMAT_TABLE && !markdown)
        return;
    table_size(row->problem, row->dims, size, sizeof size);
    printf("%s%s   %s: %s\n%s", markdown ? "### " : "", problem_name(row->problem), row->label,
           size, markdown ? "\n" : "");
    grid_print(g, stdout, markdown);
    puts("");
    fflush(stdout);
}

static bool report(void *context, struct row *const rows[], size_t count_of_rows,
                   struct record *record, struct error *error)
{
    struct aa *aa = context;
    struct grid g;
    size_t timed = 0;
    bool written = true;

    for (size_t i = 0; i + 1 < count_of_rows; i += 2)
        timed += row_timed(rows[i]) && row_timed(rows[i + 1]);
    start_grid(&g);
    for (size_t i = 0; i + 1 < count_of_rows && written; i += 2) {
        const struct row *one = rows[i], *other = rows[i + 1];
        if (row_timed(one) && row_timed(other)) {
            written = take_pair(aa, &g, one, other, false, timed, record, error) &&
                      take_pair(aa, &g, one, other, true, timed, record, error);
            continue;
        }
        grid_row(&g);
        grid_set(&g, C_RUNG, "%s", variant_name(one->variant).variant);
        g.rest[g.rows - 1] = row_timed(one) ? other->fate.reason : one->fate.reason;
    }
    print_grid(aa, &g, rows[0]);
    grid_free(&g);
    return written;
}

/* --- the verdict on the verdicts -------------------------------------------------------------- */

/* Few comparisons may have bad luck: their share must be more than luck explains. */
static bool too_many(size_t false_ones, size_t judged, double *luck)
{
    *luck = judged > 0 ? binomial_tail(judged, false_ones, ALLOWED) : 1.0;
    return (double)false_ones > ALLOWED * (double)judged && (judged >= MANY || *luck < 0.05);
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
        "{s:s, s:s, s:I, s:I, s:f, s:f, s:f, s:I, s:I, s:I, s:b}", "record", "selftest", "test",
        "aa", "comparisons", (json_int_t)aa->judged, "false_verdicts", (json_int_t)false_ones,
        "share", share, "allowed", ALLOWED, "chance", luck, "same", (json_int_t)aa->found[SAME],
        "unresolved", (json_int_t)aa->found[UNRESOLVED], "too_few_rounds",
        (json_int_t)aa->too_few, "failed", failed);

    print_json(aa, object);
    if (aa->format != FORMAT_JSON) {
        terminal_printf(stdout, "%zu comparisons of a rung with itself: %zu FASTER or SLOWER (%.1f %%), %zu "
                                "SAME, %zu UNRESOLVED.\n", aa->judged, false_ones, 100.0 * share,
                        aa->found[SAME], aa->found[UNRESOLVED]);
        if (aa->too_few > 0)
            printf("%zu more had too few rounds for an interval.\n", aa->too_few);
        printf("False verdicts: %.1f %%, and 5 %% are allowed: %s", 100.0 * share,
               failed ? "FAILED" : "passed");
        if (aa->judged < MANY && false_ones > 0)
            printf(" (at 5 %%, so many or more come with a chance of %.2g)", luck);
        puts(".");
    }
    if (!record_object(record, object, &error))
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

    if (o->pattern_count == 0 || strcmp(o->patterns[0], "aa") != 0) {
        error_set(&error, "selftest what? There is selftest aa: every rung against itself");
        return usage_error(&error);
    }
    if (o->format == FORMAT_CSV) {
        error_set(&error, "selftest has no CSV; --format json has every field");
        return usage_error(&error);
    }
    rest.pattern_count--;
    memmove(rest.patterns, rest.patterns + 1, rest.pattern_count * sizeof rest.patterns[0]);
    return bench_run(&rest, &kind);
}

const struct command command_selftest = {
    .name = "selftest",
    .usage = "selftest aa [PATTERN...] [--size S,M] [--quick] [--max-time SECONDS]",
    .about = "time every rung against itself, and count the verdicts, all of them false",
    .help = "Each rung runs in two processes, in the same rounds and by the same rules as in\n"
            "bench, and the two are compared as two rungs would be.  FASTER and SLOWER are false\n"
            "then, and may be 5 % of the comparisons; above, the exit status is 1: with fewer than\n"
            "100, only where luck would bring as many less than once in 20 times.  Each run writes\n"
            "a new file of records, results/selftest-DATE-HOST.jsonl unless --out names another.\n",
    .run = run,
};
