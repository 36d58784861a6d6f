#include "harness/records/comparison.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/stats.h"

const char *const finding_names[] = {"FASTER", "SLOWER", "SAME", "UNRESOLVED"};

/* Thresholds of a difference and of equality, as the larger time over the smaller minus 1. */
struct rule {
    const char *method;
    double least, same;
};

/* docs/method.md says where the numbers come from. */
static const struct rule PAIRED = {"paired", 0.01, 0.02};
/* The names of the methods are in records, so they keep the words of the first version of the format. */
static const struct rule SINGLE_PROCESS = {"single launch", 0.05, 0.05};
static const struct rule PROCESSES = {"launches", 0.03, 0.03};

/* The most by which two processes of one variant differ in all their calls, e.g. through the addresses of
   arrays or command buffers.  More rounds in the same process do not reduce this difference. */
struct process {
    double seconds, share;
};
static const struct process OF_A_PROCESS = {0.2e-6, 0.015}, NOTHING = {0.0, 0.0};

/* What is left of it where each pass has a process of its own: the error of their mean. */
static struct process of_processes(size_t count)
{
    const double mean = 1.0 / sqrt((double)count);

    return (struct process){OF_A_PROCESS.seconds * mean, OF_A_PROCESS.share * mean};
}

static enum finding find(const struct comparison *c, const struct rule *rule)
{
    if (!isfinite(c->low) || !isfinite(c->high))
        return UNRESOLVED;
    if (c->low > 1.0 && c->ratio - 1.0 >= rule->least)
        return FASTER;
    if (c->high < 1.0 && 1.0 / c->ratio - 1.0 >= rule->least)
        return SLOWER;
    if (c->low >= 1.0 - rule->same && c->high <= 1.0 + rule->same)
        return SAME;
    return UNRESOLVED;
}

static struct comparison nothing(const struct rule *rule)
{
    return (struct comparison){.ratio = NAN, .low = NAN, .high = NAN, .confidence = NAN,
                               .method = rule->method, .finding = UNRESOLVED};
}

/* --- samples far apart ------------------------------------------------------------------------ */

/* The rounds of one side: how many, the shortest and the longest. */
struct extent {
    size_t rounds;
    double least, most;
};

static struct extent extent_of(const struct series all[], size_t count)
{
    struct extent e = {.least = INFINITY};

    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; i < all[s].rounds; i++) {
            e.rounds++;
            e.least = fmin(e.least, all[s].round[i]);
            e.most = fmax(e.most, all[s].round[i]);
        }
    return e;
}

/* Few rounds have no interval at the confidence of a large table, or a wide one.  But if the longest time of
   one side is far below the shortest of the other, they do not come from one variant.  How far is enough was
   found by experiment (docs/experiments.md): 10 times for a single round, 2 for three, 1.25 for six or more. */
static void settle_by_distance(struct comparison *c, struct extent base, struct extent other)
{
    const size_t least = base.rounds < other.rounds ? base.rounds : other.rounds;
    const size_t most = base.rounds < other.rounds ? other.rounds : base.rounds;
    static const size_t ENOUGH = 6; /* on one side; the other may have a single round */

    if (c->finding != UNRESOLVED || least == 0 || most < ENOUGH || !isfinite(c->ratio))
        return;
    const double enough = fmax(1.25, 1.0 + 9.0 / ((double)least * (double)least));
    if (base.least > enough * other.most)
        c->finding = FASTER;
    else if (other.least > enough * base.most)
        c->finding = SLOWER;
    if (c->finding != UNRESOLVED)
        c->method = "distance";
}

/* --- side by side ----------------------------------------------------------------------------- */

static double confidence_among(size_t family)
{
    return 1.0 - 0.05 / (double)(family > 0 ? family : 1);
}

/* Compares pairs, sorted by pass, and widens the interval by the differences between processes. */
static struct comparison compare_passes(const struct pass pass[MAX_PASSES], const double base[],
                                        const double other[], size_t count, struct process off,
                                        size_t family)
{
    struct comparison c = nothing(&PAIRED);
    double *logs = malloc((count + 1) * sizeof *logs);

    if (logs == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        if (!(base[i] > 0.0 && other[i] > 0.0)) { /* no clock gives this, but a file may contain it */
            free(logs);
            return c;
        }
        logs[i] = log(base[i] / other[i]);
        c.ties += logs[i] == 0.0;
    }
    c.rounds = count;
    c.confidence = confidence_among(family);
    c.ratio = exp(median_of(logs, count));
    series_span(pass, logs, c.confidence, &c.low, &c.high);
    const double less =
        1.0 + off.share + off.seconds / fmin(median_of(base, count), median_of(other, count));
    c.low = exp(c.low) / less;
    c.high = exp(c.high) * less;
    free(logs);
    c.finding = find(&c, &PAIRED);
    return c;
}

struct comparison compare_paired(const double base[], const double other[], size_t count,
                                 size_t family)
{
    const struct pass one[MAX_PASSES] = {{count, 0}};

    return compare_passes(one, base, other, count, NOTHING, family);
}

/* Collects the rounds of a pass in which both took part.  Returns their number. */
static size_t shared(const struct pass *a, const struct pass *b, size_t *first)
{
    const size_t a_end = a->first + a->rounds, b_end = b->first + b->rounds;
    const size_t end = a_end < b_end ? a_end : b_end;

    *first = a->first > b->first ? a->first : b->first;
    return end > *first ? end - *first : 0;
}

/* Takes one value for each pass: the median of the rounds in which both took part. */
static struct comparison compare_medians(const struct pass pass[MAX_PASSES], const double base[],
                                         const double other[], size_t family)
{
    double ours[MAX_PASSES], theirs[MAX_PASSES];
    size_t count = 0;

    for (size_t p = 0, at = 0; p < MAX_PASSES; at += pass[p++].rounds) {
        if (pass[p].rounds == 0)
            continue;
        ours[count] = median_of(base + at, pass[p].rounds);
        theirs[count++] = median_of(other + at, pass[p].rounds);
    }
    return compare_paired(ours, theirs, count, family);
}

struct comparison compare_together(const struct series *base, const struct series *other,
                                   size_t family)
{
    double *ours = malloc((base->rounds + 1) * sizeof *ours);
    double *theirs = malloc((base->rounds + 1) * sizeof *theirs);
    struct pass pass[MAX_PASSES] = {{0}};
    size_t count = 0, passes = 0, at_base = 0, at_other = 0, first;

    if (ours == NULL || theirs == NULL)
        abort();
    for (size_t p = 0; p < MAX_PASSES; p++) {
        const struct pass *a = &base->pass[p], *b = &other->pass[p];
        const size_t both = pass[p].rounds = shared(a, b, &first);
        if (both > 0) {
            memcpy(ours + count, base->round + at_base + (first - a->first), both * sizeof *ours);
            memcpy(theirs + count, other->round + at_other + (first - b->first),
                   both * sizeof *theirs);
        }
        count += both;
        passes += both > 0;
        at_base += a->rounds;
        at_other += b->rounds;
    }
    struct comparison c = compare_medians(pass, ours, theirs, family);
    if (passes < ENOUGH_PASSES || isnan(c.low))
        c = compare_passes(pass, ours, theirs, count, of_processes(passes > 0 ? passes : 1), family);
    settle_by_distance(&c, extent_of(base, 1), extent_of(other, 1));
    free(ours);
    free(theirs);
    return c;
}

size_t compare_rounds_needed(size_t family)
{
    size_t count = 1, low, high;

    while (!median_ranks_at(count, confidence_among(family), &low, &high))
        count++;
    return count;
}

/* --- apart ------------------------------------------------------------------------------------ */

/* The times of one variant in one file: of several runs, or of several passes of one run. */
struct side {
    double median, low, high; /* seconds */
    double *medians;          /* one for each process */
    size_t processes, rounds;
};

/* Collects the medians of the processes of a file and returns their number: a run with six passes or more
   counts each pass, another run counts once. */
static size_t count_processes(const struct series runs[], size_t count)
{
    size_t all = 0;

    for (size_t i = 0; i < count; i++)
        all += series_passes(&runs[i]) >= ENOUGH_PASSES ? series_passes(&runs[i]) : 1;
    return all;
}

static void add_medians(struct side *s, const struct series *run)
{
    if (series_passes(run) >= ENOUGH_PASSES)
        s->processes += series_pass_medians(run, s->medians + s->processes);
    else
        s->medians[s->processes++] = series_median(run);
}

/* With enough processes the sample is their medians.  With fewer, the differences between processes are not
   known, so the interval spans the intervals of all of them. */
static struct side summarize_side(const struct series runs[], size_t count, bool enough)
{
    struct side s = {.low = INFINITY, .high = -INFINITY,
                     .medians = malloc((count * MAX_PASSES + 1) * sizeof *s.medians)};

    if (s.medians == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        double low, high;
        series_span(runs[i].pass, runs[i].round, 0.95, &low, &high);
        add_medians(&s, &runs[i]);
        s.rounds += runs[i].rounds;
        s.low = low < s.low ? low : isnan(low) ? NAN : s.low;
        s.high = high > s.high ? high : isnan(high) ? NAN : s.high;
    }
    struct summary all = summarize(s.medians, s.processes);
    s.median = all.median;
    if (enough) {
        s.low = all.low;
        s.high = all.high;
        s.rounds = s.processes;
    }
    return s;
}

struct comparison compare_apart(const struct series base[], size_t base_count,
                                const struct series other[], size_t other_count)
{
    const bool enough = count_processes(base, base_count) >= ENOUGH_PASSES &&
                        count_processes(other, other_count) >= ENOUGH_PASSES;
    const struct rule *rule = enough ? &PROCESSES : &SINGLE_PROCESS;
    struct side a = summarize_side(base, base_count, enough);
    struct side b = summarize_side(other, other_count, enough);
    struct comparison c = nothing(rule);

    if (a.median > 0.0 && b.median > 0.0) {
        c.ratio = a.median / b.median;
        c.low = a.low / b.high;
        c.high = a.high / b.low;
        c.confidence = 0.9; /* two intervals at 95 % hold together at 90 % */
        c.rounds = a.rounds < b.rounds ? a.rounds : b.rounds;
        c.finding = find(&c, rule);
    }
    if (enough && (c.finding == FASTER || c.finding == SLOWER) &&
        rank_sum_test(a.medians, a.processes, b.medians, b.processes) >= 0.05)
        c.finding = UNRESOLVED;
    free(a.medians);
    free(b.medians);
    return c;
}

struct comparison compare_either(const struct series *base, const struct series *other,
                                 bool together, size_t family)
{
    return together ? compare_together(base, other, family) : compare_apart(base, 1, other, 1);
}

/* Eight layouts of a stencil and of an FFT differed by less than 1 %, those of saxpy by more; whether the layout
   is the reason there is open (docs/method.md). */
static const double PLACEMENT = 0.02;

void compare_builds_differ(struct comparison *c)
{
    const struct rule *rule =
        strcmp(c->method, PROCESSES.method) == 0 ? &PROCESSES : &SINGLE_PROCESS;

    c->low /= 1.0 + PLACEMENT;
    c->high *= 1.0 + PLACEMENT;
    if (c->finding != UNRESOLVED)
        c->finding = find(c, rule);
}

double compare_slowdown(const struct comparison *c)
{
    return 1.0 / c->ratio - 1.0;
}
