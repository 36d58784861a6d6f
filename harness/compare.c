#include "harness/compare.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/stats.h"

const char *const finding_names[] = {"FASTER", "SLOWER", "SAME", "UNRESOLVED"};

/* What counts as a difference (the larger over the smaller, less 1), and what as none. */
struct rule {
    const char *method;
    double least, same;
};

/* docs/method.md says where the numbers come from. */
static const struct rule PAIRED = {"paired", 0.01, 0.02};
static const struct rule SINGLE_LAUNCH = {"single launch", 0.05, 0.05};
static const struct rule LAUNCHES = {"launches", 0.03, 0.03};

/* What two processes of one rung may differ by in each call, for as long as they live: where a
   launch's orders lie, say, or its arrays.  No number of rounds tells. */
struct process {
    double seconds, share;
};
static const struct process OF_A_PROCESS = {0.2e-6, 0.015}, NOTHING = {0.0, 0.0};

enum { ENOUGH_LAUNCHES = 6 }; /* fewer have no interval of their own */

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

/* --- side by side ----------------------------------------------------------------------------- */

static double confidence_among(size_t family)
{
    return 1.0 - 0.05 / (double)(family > 0 ? family : 1);
}

/* Of pairs that stand one behind the other, sitting by sitting; processes may differ by so much. */
static struct comparison compare_sittings(const struct sitting sitting[MAX_SITTINGS],
                                          const double base[], const double other[], size_t count,
                                          struct process off, size_t family)
{
    struct comparison c = nothing(&PAIRED);
    double *logs = malloc((count + 1) * sizeof *logs);

    if (logs == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        if (!(base[i] > 0.0 && other[i] > 0.0)) { /* no clock says so, a file may */
            free(logs);
            return c;
        }
        logs[i] = log(base[i] / other[i]);
        c.ties += logs[i] == 0.0;
    }
    c.rounds = count;
    c.confidence = confidence_among(family);
    c.ratio = exp(median_of(logs, count));
    rounds_interval(sitting, logs, c.confidence, &c.low, &c.high);
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
    const struct sitting one[MAX_SITTINGS] = {{count, 0}};

    return compare_sittings(one, base, other, count, NOTHING, family);
}

/* The rounds that both took part in; their number. */
static size_t shared(const struct sitting *a, const struct sitting *b, size_t *first)
{
    const size_t a_end = a->first + a->rounds, b_end = b->first + b->rounds;
    const size_t end = a_end < b_end ? a_end : b_end;

    *first = a->first > b->first ? a->first : b->first;
    return end > *first ? end - *first : 0;
}

struct comparison compare_together(const struct rounds *base, const struct rounds *other,
                                   size_t family)
{
    double *ours = malloc((base->count + 1) * sizeof *ours);
    double *theirs = malloc((base->count + 1) * sizeof *theirs);
    struct sitting sitting[MAX_SITTINGS] = {{0}};
    size_t count = 0, sittings = 0, at_base = 0, at_other = 0, first;

    if (ours == NULL || theirs == NULL)
        abort();
    for (size_t s = 0; s < MAX_SITTINGS; s++) {
        const struct sitting *a = &base->sitting[s], *b = &other->sitting[s];
        const size_t both = sitting[s].rounds = shared(a, b, &first);
        if (both > 0) {
            memcpy(ours + count, base->time + at_base + (first - a->first), both * sizeof *ours);
            memcpy(theirs + count, other->time + at_other + (first - b->first),
                   both * sizeof *theirs);
        }
        count += both;
        sittings += both > 0;
        at_base += a->rounds;
        at_other += b->rounds;
    }
    const bool several = sittings > 1 || base->launches;
    struct comparison c = compare_sittings(sitting, ours, theirs, count,
                                           several ? NOTHING : OF_A_PROCESS, family);
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

struct side {
    double median, low, high; /* seconds */
    double *medians;          /* of each launch */
    size_t rounds;
};

/* With launches enough, their medians are the sample.  With fewer, nobody knows how launches
   differ: the interval is as wide as those of all of them together. */
static struct side summarize_side(const struct rounds launches[], size_t count, bool enough)
{
    struct side s = {.low = INFINITY, .high = -INFINITY,
                     .medians = malloc((count + 1) * sizeof *s.medians)};

    if (s.medians == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        double low, high;
        rounds_interval(launches[i].sitting, launches[i].time, 0.95, &low, &high);
        s.medians[i] = rounds_median(&launches[i]);
        s.rounds += launches[i].count;
        s.low = low < s.low ? low : isnan(low) ? NAN : s.low;
        s.high = high > s.high ? high : isnan(high) ? NAN : s.high;
    }
    struct summary all = summarize(s.medians, count);
    s.median = all.median;
    if (enough) {
        s.low = all.low;
        s.high = all.high;
        s.rounds = count;
    }
    return s;
}

struct comparison compare_apart(const struct rounds base[], size_t base_count,
                                const struct rounds other[], size_t other_count)
{
    bool enough = base_count >= ENOUGH_LAUNCHES && other_count >= ENOUGH_LAUNCHES;
    const struct rule *rule = enough ? &LAUNCHES : &SINGLE_LAUNCH;
    struct side a = summarize_side(base, base_count, enough);
    struct side b = summarize_side(other, other_count, enough);
    struct comparison c = nothing(rule);

    if (a.median > 0.0 && b.median > 0.0) {
        c.ratio = a.median / b.median;
        c.low = a.low / b.high;
        c.high = a.high / b.low;
        c.confidence = 0.9; /* both hold at once, each at 95 % */
        c.rounds = a.rounds < b.rounds ? a.rounds : b.rounds;
        c.finding = find(&c, rule);
    }
    if (enough && (c.finding == FASTER || c.finding == SLOWER) &&
        rank_sum_test(a.medians, base_count, b.medians, other_count) >= 0.05)
        c.finding = UNRESOLVED;
    free(a.medians);
    free(b.medians);
    return c;
}

double compare_slowdown(const struct comparison *c)
{
    return 1.0 / c->ratio - 1.0;
}
