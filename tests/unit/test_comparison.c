/* Ratios and their verdicts: compared with values computed by hand, and with chance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "harness/base/random.h"
#include "harness/base/stats.h"
#include "harness/records/comparison.h"

static void assert_near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12 * fabs(want)))
        fail_msg("%.17g, expected %.17g", got, want);
}

static void assert_finding(enum finding got, enum finding want)
{
    if (got != want)
        fail_msg("%s, expected %s", finding_names[got], finding_names[want]);
}

/* --- pairs, by hand --------------------------------------------------------------------------- */

static const double ONES[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static void ratios_are_of_pairs(void **state)
{
    /* The machine is ten times slower in the last two rounds; b is twice as fast throughout. */
    const double a[] = {2, 4, 6, 20, 40, 60}, b[] = {1, 2, 3, 10, 20, 30};
    /* Ratios 1, 4, 9: the median is 4, though that of a over that of b is 2. */
    const double c[] = {2, 4, 9}, d[] = {2, 1, 1};
    /* Ratios 2 and 8: half way, as ratios go, is 4. */
    const double e[] = {2, 8};

    (void)state;
    struct comparison ab = compare_paired(a, b, 6, 1);
    assert_near(ab.ratio, 2.0);
    assert_near(ab.low, 2.0);
    assert_near(ab.high, 2.0);
    assert_finding(ab.finding, FASTER);
    assert_near(compare_slowdown(&ab), -0.5);
    struct comparison ba = compare_paired(b, a, 6, 1);
    assert_near(ba.ratio, 0.5);
    assert_finding(ba.finding, SLOWER);
    assert_near(compare_slowdown(&ba), 1.0);
    assert_near(compare_paired(c, d, 3, 1).ratio, 4.0);
    assert_near(compare_paired(e, ONES, 2, 1).ratio, 4.0);
}

/* A naive loop of two rounds, and a kernel of eight: no interval holds for a table of 30 variants. */
static void few_rounds_far_apart_decide(void **state)
{
    double slow[] = {0.2, 0.22}, once[] = {0.2}, fast[] = {0.011, 0.012, 0.01, 0.011, 0.013, 0.012, 0.011, 0.01};
    double near[] = {0.1, 0.11, 0.1, 0.11, 0.1, 0.12, 0.1, 0.1}, few[] = {0.011, 0.012, 0.01};
    const struct series a = series_of(slow, 2), b = series_of(fast, 8), c = series_of(near, 8),
                        one = series_of(once, 1), three = series_of(few, 3);

    (void)state;
    assert_finding(compare_together(&a, &b, 30).finding, FASTER);
    assert_finding(compare_together(&b, &a, 30).finding, SLOWER);
    assert_string_equal(compare_together(&b, &a, 30).method, "distance");
    assert_finding(compare_together(&a, &c, 30).finding, UNRESOLVED); /* only twice as far */
    assert_finding(compare_together(&one, &b, 30).finding, FASTER);
    assert_finding(compare_together(&one, &c, 30).finding, UNRESOLVED);
    assert_finding(compare_together(&one, &three, 30).finding, UNRESOLVED); /* neither side has six */
}

static void one_disturbed_round_moves_no_ratio(void **state)
{
    const double a[] = {2, 2, 2, 200, 2};

    (void)state;
    assert_near(compare_paired(a, ONES, 5, 1).ratio, 2.0);
}

/* Ten ratios, 1.10 to 1.19: at 95 % from the 2nd to the 9th; among nine, at 99.4 %, all. */
static void intervals_widen_with_the_family(void **state)
{
    const double a[] = {1.14, 1.19, 1.10, 1.12, 1.18, 1.11, 1.16, 1.13, 1.17, 1.15};
    struct comparison c = compare_paired(a, ONES, 10, 1);

    (void)state;
    assert_near(c.ratio, sqrt(1.14 * 1.15));
    assert_near(c.low, 1.11);
    assert_near(c.high, 1.18);
    assert_near(c.confidence, 0.95);
    assert_int_equal(c.rounds, 10);
    assert_int_equal(c.ties, 0);
    assert_string_equal(c.method, "paired");
    c = compare_paired(a, ONES, 10, 9);
    assert_near(c.confidence, 1.0 - 0.05 / 9.0);
    assert_near(c.low, 1.10);
    assert_near(c.high, 1.19);
    assert_finding(c.finding, FASTER);
    c = compare_paired(a, ONES, 10, 26); /* 2/1024 exceeds 0.05/26 */
    assert_true(isnan(c.low) && isnan(c.high) && isfinite(c.ratio));
    assert_finding(c.finding, UNRESOLVED);
}

static void too_few_rounds_resolve_nothing(void **state)
{
    const double a[] = {9, 9, 9, 9, 9, 9};

    (void)state;
    for (size_t count = 1; count < 6; count++) {
        struct comparison c = compare_paired(a, ONES, count, 1);
        assert_near(c.ratio, 9.0);
        assert_true(isnan(c.low));
        assert_finding(c.finding, UNRESOLVED);
    }
    assert_finding(compare_paired(a, ONES, 6, 1).finding, FASTER);
    assert_true(isnan(compare_paired(a, ONES, 0, 1).ratio));
    assert_finding(compare_paired(a, ONES, 0, 1).finding, UNRESOLVED);
}

static void rounds_that_a_family_needs(void **state)
{
    static const struct {
        size_t first, last, rounds;
    } table[] = {{0, 1, 6}, {2, 3, 7}, {4, 6, 8}, {7, 12, 9}, {13, 25, 10}, {26, 51, 11}};

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (size_t family = table[i].first; family <= table[i].last; family++)
            assert_int_equal(compare_rounds_needed(family), table[i].rounds);
}

/* Six rounds: the interval is from the least ratio to the largest. */
static void verdicts_at_their_borders(void **state)
{
    static const struct {
        double ratio[6]; /* the 3rd and the 4th make the median */
        enum finding finding;
    } cases[] = {
        {{1.001, 1.01, 1.0101, 1.0101, 1.02, 1.5}, FASTER},
        {{0.999, 1.01, 1.5, 1.5, 1.5, 1.5}, UNRESOLVED},     /* reaches 1 */
        {{1.001, 1.005, 1.009, 1.009, 1.015, 1.019}, SAME},  /* no 1 %, and within 2 % */
        {{1.001, 1.005, 1.009, 1.009, 1.015, 1.021}, UNRESOLVED},
        {{0.981, 0.99, 1.0, 1.0, 1.01, 1.019}, SAME},
        {{0.979, 0.99, 1.0, 1.0, 1.01, 1.019}, UNRESOLVED},
        {{0.5, 0.9, 0.9900, 0.9900, 0.995, 0.999}, SLOWER},
        {{0.5, 0.9, 0.9910, 0.9910, 0.995, 0.999}, UNRESOLVED},
        {{0.5, 0.9, 0.9, 0.9, 0.9, 1.001}, UNRESOLVED},
        {{1, 1, 1, 1, 1, 1}, SAME},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct comparison c = compare_paired(cases[i].ratio, ONES, 6, 1);
        if (c.finding != cases[i].finding)
            fail_msg("case %zu: %s", i, finding_names[c.finding]);
    }
}

static void sides_exchanged_exchange_the_verdict(void **state)
{
    static const enum finding mirror[] = {SLOWER, FASTER, SAME, UNRESOLVED};
    size_t seen[4] = {0};

    (void)state;
    for (uint64_t trial = 0; trial < 2000; trial++) {
        double a[12], b[12], scale = 0.05 * random_unit(3, 0, trial);
        double shift = 1.0 + 0.06 * (random_unit(3, 1, trial) - 0.5);
        for (size_t i = 0; i < 12; i++) {
            a[i] = shift * (1.0 + scale * random_unit(4, trial, i));
            b[i] = 1.0 + scale * random_unit(5, trial, i);
        }
        struct comparison one = compare_paired(a, b, 12, 1), other = compare_paired(b, a, 12, 1);
        assert_near(one.ratio * other.ratio, 1.0);
        assert_near(one.low * other.high, 1.0);
        if (one.finding != SAME && other.finding != SAME) /* 2 % up is not the inverse of 2 % down */
            assert_finding(other.finding, mirror[one.finding]);
        seen[one.finding]++;
    }
    for (size_t f = 0; f < 4; f++)
        assert_true(seen[f] > 20);
}

static void ties_are_counted(void **state)
{
    const double a[] = {1, 1, 1, 1, 1.1, 1.1};

    (void)state;
    assert_int_equal(compare_paired(a, ONES, 6, 1).ties, 4);
}

static void what_is_no_time_has_no_ratio(void **state)
{
    const double bad[] = {0.0, -1.0, NAN};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        double a[] = {2, 2, 2, 2, 2, 2, 2};
        a[3] = bad[i];
        struct comparison c = compare_paired(a, ONES, 7, 1);
        assert_true(isnan(c.ratio) && isnan(c.low));
        assert_finding(c.finding, UNRESOLVED);
        assert_finding(compare_paired(ONES, a, 7, 1).finding, UNRESOLVED);
    }
}

/* --- pairs, by chance ------------------------------------------------------------------------- */

/* A time as real ones are: a minimum, a tail to the right, and disturbances of whole rounds. */
static double time_of(uint64_t trial, uint64_t variant, uint64_t round, double tail)
{
    double mood = random_unit(11, trial, round) < 0.2 ? 3.0 : 1.0;

    return mood * (1.0 - tail * log(1.0 - random_unit(13 + variant, trial, round)));
}

static void intervals_cover_the_true_ratio(void **state)
{
    static const size_t counts[] = {10, 25, 100}, families[] = {1, 5, 20};
    const size_t trials = 4000;

    (void)state;
    for (size_t n = 0; n < 3; n++)
        for (size_t f = 0; f < 3; f++) {
            size_t covered = 0;
            for (uint64_t trial = 0; trial < trials; trial++) {
                double a[100], b[100];
                for (size_t r = 0; r < counts[n]; r++) {
                    a[r] = 1.05 * time_of(trial, 0, r, 0.03);
                    b[r] = time_of(trial, 1, r, 0.03);
                }
                struct comparison c = compare_paired(a, b, counts[n], families[f]);
                covered += c.low <= 1.05 && 1.05 <= c.high;
            }
            double share = (double)covered / (double)trials, error = 0.05 / (double)families[f];
            double slack = 4.0 * sqrt(error * (1.0 - error) / (double)trials);
            if (share < 1.0 - error - slack)
                fail_msg("%zu rounds, family of %zu: %.4f covered", counts[n], families[f], share);
        }
}

enum { RUNGS = 12, ROUNDS = 25 };

static size_t fastest(double times[RUNGS][ROUNDS])
{
    double least = INFINITY;
    size_t best = 0;

    for (size_t v = 0; v < RUNGS; v++)
        if (median_of(times[v], ROUNDS) < least) {
            least = median_of(times[v], ROUNDS);
            best = v;
        }
    return best;
}

/* Returns how many are distinguished from one of them. */
static size_t false_verdicts(double times[RUNGS][ROUNDS], size_t base)
{
    size_t count = 0;

    for (size_t v = 0; v < RUNGS; v++) {
        struct comparison c = compare_paired(times[base], times[v], ROUNDS, RUNGS - 1);
        count += v != base && (c.finding == FASTER || c.finding == SLOWER);
    }
    return count;
}

/* Tables of identical variants.  A column with a fixed base may have a false verdict in one table of
   20.  The fastest variant is chosen by the same times, so its column has more (docs/method.md says
   how many), but still far less than one verdict in 20. */
static void equal_rungs_are_seldom_told_apart(void **state)
{
    static double times[RUNGS][ROUNDS];
    const double trials = 3000;
    double first = 0, best = 0, best_verdicts = 0;

    (void)state;
    for (uint64_t trial = 0; trial < (uint64_t)trials; trial++) {
        for (size_t v = 0; v < RUNGS; v++)
            for (size_t r = 0; r < ROUNDS; r++)
                times[v][r] = time_of(trial, v, r, 0.05);
        size_t of_best = false_verdicts(times, fastest(times));
        first += false_verdicts(times, 0) > 0;
        best += of_best > 0;
        best_verdicts += (double)of_best;
    }
    print_message("# tables with a false verdict: %.3f against the first, %.3f against the best "
                  "(%.4f of its verdicts)\n", first / trials, best / trials,
                  best_verdicts / trials / (RUNGS - 1));
    assert_true(first / trials <= 0.05 + 4.0 * sqrt(0.05 * 0.95 / trials));
    assert_true(best_verdicts / trials / (RUNGS - 1) <= 0.02);
}

static void a_tenth_is_found(void **state)
{
    size_t found = 0;

    (void)state;
    for (uint64_t trial = 0; trial < 1000; trial++) {
        double a[ROUNDS], b[ROUNDS];
        for (size_t r = 0; r < ROUNDS; r++) {
            a[r] = time_of(trial, 0, r, 0.05);
            b[r] = 1.1 * time_of(trial, 1, r, 0.05);
        }
        found += compare_paired(a, b, ROUNDS, RUNGS - 1).finding == SLOWER;
    }
    print_message("# 10 %% slower with 5 %% noise: found %zu times of 1000\n", found);
    assert_true(found > 950);
}

/* --- apart ------------------------------------------------------------------------------------ */

static void single_launches_need_a_gap(void **state)
{
    double a[] = {1.000, 1.001, 1.002, 1.003, 1.004, 1.005};
    static const struct {
        double factor;
        enum finding finding;
    } cases[] = {{1.0, SAME},     {1.02, SAME},   {1.048, UNRESOLVED}, {1.056, SLOWER},
                 {2.0, SLOWER},   {0.98, SAME},   {0.956, UNRESOLVED}, {0.94, FASTER},
                 {0.5, FASTER}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double b[6];
        for (size_t r = 0; r < 6; r++)
            b[r] = cases[i].factor * a[r];
        const struct series was = series_of(a, 6), is = series_of(b, 6);
        struct comparison c = compare_apart(&was, 1, &is, 1);
        assert_near(c.ratio, 1.0 / cases[i].factor);
        assert_near(c.low, 1.000 / (1.005 * cases[i].factor));
        assert_near(c.high, 1.005 / (1.000 * cases[i].factor));
        assert_string_equal(c.method, "single launch");
        if (c.finding != cases[i].finding)
            fail_msg("times %g: %s", cases[i].factor, finding_names[c.finding]);
    }
}

/* The place of the code contributes to the difference: 2 % on either side. */
static void another_build_widens_the_interval(void **state)
{
    double a[] = {1, 1, 1, 1, 1, 1.03};
    double b[6];

    (void)state;
    for (size_t r = 0; r < 6; r++)
        b[r] = 1.0 / 1.06 * a[r];
    const struct series was = series_of(a, 6), is = series_of(b, 6);
    struct comparison c = compare_apart(&was, 1, &is, 1);
    assert_finding(c.finding, FASTER);
    const double low = c.low, high = c.high;
    compare_builds_differ(&c);
    assert_near(c.ratio, 1.06);
    assert_near(c.low, low / 1.02);
    assert_near(c.high, high * 1.02);
    assert_finding(c.finding, FASTER); /* 1.06 / 1.03 / 1.02 is above 1 still */
    compare_builds_differ(&c);
    assert_finding(c.finding, UNRESOLVED);
}

static void intervals_that_meet_resolve_nothing(void **state)
{
    double a[] = {1, 1, 1, 1, 1, 2}, b[] = {1.9, 3, 3, 3, 3, 3};
    const struct series was = series_of(a, 6), is = series_of(b, 6), few = series_of(b + 1, 5);

    (void)state;
    assert_finding(compare_apart(&was, 1, &is, 1).finding, UNRESOLVED);
    assert_true(isnan(compare_apart(&was, 1, &few, 1).low)); /* five rounds: no interval */
    assert_finding(compare_apart(&was, 1, &few, 1).finding, UNRESOLVED);
    assert_true(isnan(compare_apart(&was, 1, &is, 0).ratio));
    assert_true(isnan(compare_apart(&was, 0, &is, 1).ratio));
}

/* With some launches, but too few, the interval spans the medians of all. */
static void a_few_launches_count_as_wide_ones(void **state)
{
    double a[] = {1, 1, 1, 1, 1, 1}, b[] = {1.2, 1.2, 1.2, 1.2, 1.2, 1.2};
    const struct series was[] = {series_of(a, 6), series_of(b, 6)}, is = series_of(a, 6);
    struct comparison c = compare_apart(was, 2, &is, 1);

    (void)state;
    assert_near(c.ratio, 1.1);
    assert_near(c.low, 1.0);
    assert_near(c.high, 1.2);
    assert_finding(c.finding, UNRESOLVED);
}

/* Six launches of two rounds each, which alone say nothing: medians of 1.000 to 1.005. */
static void many_launches_tell_less_apart(void **state)
{
    static const struct {
        double factor;
        enum finding finding;
    } cases[] = {{1.0, SAME}, {1.02, SAME}, {1.028, UNRESOLVED}, {1.036, SLOWER}, {0.96, FASTER}};

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double a[6][2], b[6][2];
        struct series was[6], is[6];
        for (size_t i = 0; i < 6; i++) {
            a[i][0] = a[i][1] = 1.0 + 0.001 * (double)i;
            b[i][0] = b[i][1] = cases[k].factor * a[i][0];
            was[i] = series_of(a[i], 2);
            is[i] = series_of(b[i], 2);
        }
        struct comparison c = compare_apart(was, 6, is, 6);
        assert_string_equal(c.method, "launches");
        assert_int_equal(c.rounds, 6);
        assert_near(c.ratio, 1.0 / cases[k].factor);
        if (c.finding != cases[k].finding)
            fail_msg("times %g: %s", cases[k].factor, finding_names[c.finding]);
        assert_finding(compare_apart(was, 5, is, 6).finding, UNRESOLVED);
    }
}

static void rounds_are_paired_by_their_number(void **state)
{
    /* Rounds 4 to 13 of one, 0 to 9 of the other: the six from 4 on are shared. */
    double late[] = {4, 5, 6, 7, 8, 9, 99, 99, 99, 99};
    double early[] = {99, 99, 99, 99, 8, 10, 12, 14, 16, 18};
    const struct series a = {.rounds = 10, .round = late, .pass = {{10, 4}}},
                        b = series_of(early, 10), c = series_of(early, 3);

    (void)state;
    struct comparison together = compare_together(&b, &a, 1);
    assert_int_equal(together.rounds, 6);
    assert_true(fabs(together.ratio - 2.0) < 1e-12);
    together = compare_together(&a, &b, 1);
    assert_true(fabs(together.ratio - 0.5) < 1e-12);
    together = compare_together(&a, &c, 1); /* none is shared */
    assert_int_equal(together.rounds, 0);
    assert_true(isnan(together.ratio));
}

/* How much an interval is widened on each side where each side has two processes, and calls take so long. */
static double of_two_processes(double seconds)
{
    return 1.0 + (0.015 + 0.2e-6 / seconds) / sqrt(2.0);
}

/* In one pass b is twice as fast, in the other half as fast again: no verdict spans both. */
static void a_verdict_needs_both_passes(void **state)
{
    double a[] = {2, 2, 2, 2, 2, 2, 9, 2, 2, 2, 2, 2, 2}, b[] = {1, 1, 1, 1, 1, 1,
                                                                       1, 1, 1, 1, 1, 1};
    double c[] = {1, 1, 1, 1, 1, 1, 4, 4, 4, 4, 4, 4};
    /* The second pass of `base` begins a round earlier. */
    const struct series base = {.rounds = 13, .round = a, .pass = {{6, 0}, {7, 2}}},
                        same = {.rounds = 12, .round = b, .pass = {{6, 0}, {6, 3}}},
                        other = {.rounds = 12, .round = c, .pass = {{6, 0}, {6, 3}}};

    (void)state;
    struct comparison both = compare_together(&base, &same, 1);
    assert_int_equal(both.rounds, 12); /* the 9 has no partner */
    assert_near(both.low, 2.0 / of_two_processes(1.0));
    assert_near(both.high, 2.0 * of_two_processes(1.0));
    assert_finding(both.finding, FASTER);
    both = compare_together(&base, &other, 1);
    assert_near(both.low, 0.5 / of_two_processes(2.0));
    assert_near(both.high, 2.0 * of_two_processes(2.0));
    assert_finding(both.finding, UNRESOLVED);
}

/* With one process each, times do not show whether the variants differ, if the calls are short or the
   times close.  Several processes do, with a round of each among them. */
static void a_verdict_needs_several_processes(void **state)
{
    double slow[12], fast[12];
    static const struct {
        double time, more;
        size_t rounds;
        struct pass pass[MAX_PASSES];
        enum finding finding;
    } cases[] = {{2e-6, 1.08, 12, {{12, 0}}, UNRESOLVED},
                 {2e-6, 1.08, 12, {{6, 0}, {6, 0}}, UNRESOLVED},
                 {2e-6, 1.08, 12, {{4, 0}, {4, 0}, {4, 0}}, FASTER},
                 {2e-6, 1.08, 12, {{2, 0}, {2, 0}, {2, 0}, {2, 0}, {2, 0}, {2, 0}}, FASTER},
                 {2e-6, 1.08, 10, {{1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0},
                                   {1, 0}, {1, 0}}, FASTER},
                 {20e-6, 1.08, 12, {{12, 0}}, FASTER},
                 {1e-3, 1.014, 12, {{12, 0}}, UNRESOLVED},
                 {1e-3, 1.014, 12, {{6, 0}, {6, 0}}, FASTER},
                 {1e-3, 1.02, 12, {{12, 0}}, FASTER}};

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (int i = 0; i < 12; i++) {
            slow[i] = cases[k].more * cases[k].time;
            fast[i] = cases[k].time;
        }
        struct series base = {.rounds = cases[k].rounds, .round = slow};
        memcpy(base.pass, cases[k].pass, sizeof cases[k].pass);
        struct series other = base;
        other.round = fast;
        assert_finding(compare_together(&base, &other, 1).finding, cases[k].finding);
    }
}

/* So many passes of two rounds each, `factor` times as long as `time`s. */
static struct series passes_of(double round[], const double time[], size_t passes, double factor)
{
    struct series s = {.rounds = 2 * passes, .round = round};

    for (size_t p = 0; p < passes; p++) {
        s.pass[p].rounds = 2;
        round[2 * p] = round[2 * p + 1] = factor * time[p];
    }
    return s;
}

/* Ratios of 1.1 to 1.6 by pass; of six the interval is all of them, and so it is of ten for
   99.4 %. */
static void of_six_passes_each_is_a_pair(void **state)
{
    const double ratios[] = {1.3, 1.1, 1.6, 1.2, 1.5, 1.4, 1.7, 1.8, 1.9, 2.0};
    const double moods[] = {5, 1, 7, 3, 2, 6, 4, 9, 8, 10};
    double a[20], b[20], times[10];

    (void)state;
    for (size_t p = 0; p < 10; p++)
        times[p] = ratios[p] * moods[p];
    const struct series six = passes_of(a, times, 6, 1.0), mine = passes_of(b, moods, 6, 1.0);
    struct comparison c = compare_together(&six, &mine, 1);
    assert_int_equal(c.rounds, 6);
    assert_string_equal(c.method, "paired");
    assert_near(c.ratio, sqrt(1.3 * 1.4));
    assert_near(c.low, 1.1);
    assert_near(c.high, 1.6);
    assert_near(c.confidence, 0.95);
    assert_finding(c.finding, FASTER);
    const struct series ten = passes_of(a, times, 10, 1.0), its = passes_of(b, moods, 10, 1.0);
    c = compare_together(&ten, &its, 1); /* from the second to the ninth */
    assert_int_equal(c.rounds, 10);
    assert_near(c.low, 1.2);
    assert_near(c.high, 1.9);
    c = compare_together(&ten, &its, 9);
    assert_near(c.confidence, 1.0 - 0.05 / 9.0);
    assert_near(c.low, 1.1);
    assert_near(c.high, 2.0);
}

/* Six passes are too few for 97.5 %; their twelve rounds are enough. */
static void too_few_passes_for_a_family_are_spanned(void **state)
{
    const double ones[] = {1, 1, 1, 1, 1, 1};
    double a[12], b[12];
    struct series base = passes_of(a, ones, 6, 2.0), other = passes_of(b, ones, 6, 1.0);

    (void)state;
    a[4] = 1.5; /* one round of the third pass: its median's ratio is 1.75 */
    struct comparison c = compare_together(&base, &other, 1);
    assert_near(c.low, 1.75);
    assert_int_equal(c.rounds, 6);
    c = compare_together(&base, &other, 2);
    assert_near(c.confidence, 0.975);
    assert_int_equal(c.rounds, 12);
    assert_near(c.ratio, 2.0);
    assert_near(c.low, 1.5 / (1.0 + (0.015 + 0.2e-6) / sqrt(6.0)));
    assert_near(c.high, 2.0 * (1.0 + (0.015 + 0.2e-6) / sqrt(6.0)));
    assert_finding(c.finding, FASTER);
}

/* Of each pass, the rounds that both were in.  A pass without any does not count, and five are
   spanned. */
static void passes_pair_what_both_were_in(void **state)
{
    double a[] = {9, 2, 2, 2, 2, 2, 2}, b[] = {1, 7, 1, 1, 1, 1, 1};
    struct series base = {.rounds = 7, .round = a,
                          .pass = {{2, 3}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}}},
                  other = {.rounds = 7, .round = b,
                           .pass = {{2, 4}, {1, 0}, {1, 0}, {1, 0}, {1, 0}, {1, 0}}};

    (void)state;
    struct comparison c = compare_together(&base, &other, 1); /* round 4: 2 and 1 */
    assert_int_equal(c.rounds, 6);
    assert_near(c.low, 2.0);
    assert_near(c.high, 2.0 * 1.0);
    other.pass[5].first = 1;
    c = compare_together(&base, &other, 1);
    assert_int_equal(c.rounds, 5);
    assert_true(isnan(c.low));
    assert_finding(c.finding, UNRESOLVED);
}

/* In separate runs, six passes of one run count as six runs; five count as one. */
static void passes_enough_are_processes(void **state)
{
    const double times[] = {1.000, 1.001, 1.002, 1.003, 1.004, 1.005};
    double a[12], b[12];
    const struct series was = passes_of(a, times, 6, 1.0);

    (void)state;
    struct series is = passes_of(b, times, 6, 1.036);
    struct comparison c = compare_apart(&was, 1, &is, 1);
    assert_string_equal(c.method, "launches");
    assert_int_equal(c.rounds, 6);
    assert_near(c.ratio, 1.0 / 1.036);
    assert_near(c.low, 1.000 / (1.005 * 1.036));
    assert_near(c.high, 1.005 / 1.036);
    assert_finding(c.finding, SLOWER);
    is = passes_of(b, times, 5, 1.036);
    c = compare_apart(&was, 1, &is, 1);
    assert_string_equal(c.method, "single launch");
    assert_int_equal(c.rounds, 10);
    assert_near(c.low, 1.000 / (1.004 * 1.036)); /* the spans: a pass of two rounds counts whole */
    assert_finding(c.finding, SAME);          /* within 5 %, as single processes must be */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_are_paired_by_their_number),
        cmocka_unit_test(a_verdict_needs_both_passes),
        cmocka_unit_test(a_verdict_needs_several_processes),
        cmocka_unit_test(of_six_passes_each_is_a_pair),
        cmocka_unit_test(too_few_passes_for_a_family_are_spanned),
        cmocka_unit_test(passes_pair_what_both_were_in),
        cmocka_unit_test(passes_enough_are_processes),
        cmocka_unit_test(ratios_are_of_pairs),
        cmocka_unit_test(few_rounds_far_apart_decide),
        cmocka_unit_test(one_disturbed_round_moves_no_ratio),
        cmocka_unit_test(intervals_widen_with_the_family),
        cmocka_unit_test(too_few_rounds_resolve_nothing),
        cmocka_unit_test(rounds_that_a_family_needs),
        cmocka_unit_test(verdicts_at_their_borders),
        cmocka_unit_test(sides_exchanged_exchange_the_verdict),
        cmocka_unit_test(ties_are_counted),
        cmocka_unit_test(what_is_no_time_has_no_ratio),
        cmocka_unit_test(intervals_cover_the_true_ratio),
        cmocka_unit_test(equal_rungs_are_seldom_told_apart),
        cmocka_unit_test(a_tenth_is_found),
        cmocka_unit_test(single_launches_need_a_gap),
        cmocka_unit_test(another_build_widens_the_interval),
        cmocka_unit_test(intervals_that_meet_resolve_nothing),
        cmocka_unit_test(a_few_launches_count_as_wide_ones),
        cmocka_unit_test(many_launches_tell_less_apart),
    };

    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
